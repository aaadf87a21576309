import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { plans } from '@postrider/domain/quota/plans.ts'
import { type Client, connect, rawMail } from '../support/client.ts'
import { root } from '../support/project.ts'
import { makeDataDirectory, removeDataDirectory, type Standalone, startStandalone } from '../support/standalone.ts'
import { needsOwnProcess } from '../support/suite.ts'
import { until } from '../support/until.ts'

type Controls = { id: string; plan: string; limits: Record<string, unknown> }
type Usage = { plan: string; monthly: { limit: number | null }; daily: { limit: number | null } }

const operatorPath = '/api/v1/operator/workspaces'

/** The section of the README that a new operator reads. */
const quotas = /^## Quotas\n(.*?)^## /ms.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[1] ?? ''

/** The commands of the section, each without its line breaks. */
const commands = (quotas.match(/^ {4}curl .*(?<=\\)\n.*|^ {4}curl .*/gm) ?? []).map((text) =>
  text.replace(/\\\n/g, ' '),
)

describe('operator token and plans of a standalone process', () => {
  needsOwnProcess()
  let parent: string
  let data: string
  let running: { standalone: Standalone; client: Client }[]

  beforeEach(async () => {
    parent = await makeDataDirectory()
    data = join(parent, 'data')
    running = []
  })
  afterEach(async () => {
    for (const { standalone, client } of running) {
      client.close()
      await standalone.kill9()
    }
    await removeDataDirectory(parent)
  })

  const start = async (env: Record<string, string> = {}) => {
    const standalone = await startStandalone({ POSTRIDER_ROUTE: 'mailbox:', ...env }, data)
    const started = { standalone, client: connect(standalone.url, '') }
    running.push(started)
    return started
  }

  /** Runs a command of the README in the folder that contains the data directory. */
  const run = async (command: string): Promise<string> => {
    const { stdout } = await promisify(execFile)('bash', ['-c', command], { cwd: dirname(data) })
    return stdout
  }

  const signUp = async (client: Client) => {
    const session = client.session(await client.signUp())
    const usage = async () => (await session.call<Usage>({ path: '/api/v1/billing/usage' })).body
    return { session, usage, workspace: session.record.workspace }
  }

  // Without a token in the environment the operator API was off, and a workspace could not send a 101st mail.
  it('are made at the first start and changed with the commands of the README', async () => {
    const { standalone, client } = await start()
    const file = join(data, 'operator-token')
    const token = readFileSync(file, 'utf8')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    await until('the banner is printed', async () => standalone.output().includes(`token is in ${file}`) || undefined)
    const { usage, workspace } = await signUp(client)
    assert.deepEqual((await usage()).daily.limit, plans.free.daily)
    const [list = '', change = '', ...others] = commands.map((command) =>
      command.replaceAll('localhost:8080', standalone.url).replace('ws_…', workspace.id),
    )
    assert.deepEqual(others, [])
    const listed = JSON.parse(await run(list)) as { data: Controls[] }
    assert.ok(listed.data.some(({ id }) => id === workspace.id))
    const changed = JSON.parse(await run(change)) as Controls
    assert.deepEqual([changed.id, changed.limits['monthly'], changed.limits['daily']], [workspace.id, 100_000, null])
    const { monthly, daily } = await usage()
    assert.deepEqual([monthly.limit, daily.limit], [100_000, null])

    await standalone.stop()
    const again = await start({ POSTRIDER_DEFAULT_PLAN: 'unlimited' })
    assert.equal(readFileSync(file, 'utf8'), token)
    for (const { output } of [standalone, again.standalone]) assert.ok(!output().includes(token))
    const old = await again.client.withOperatorToken(token).call<Controls>({ path: `${operatorPath}/${workspace.id}` })
    assert.deepEqual([old.body.plan, old.body.limits['monthly']], ['free', 100_000])
    const fresh = await signUp(again.client)
    const { plan, ...now } = await fresh.usage()
    assert.deepEqual(
      [fresh.workspace.plan, plan, now.monthly.limit, now.daily.limit],
      ['unlimited', 'unlimited', null, null],
    )
    // More than the daily quota of the free plan.
    const to = Array.from({ length: 50 }, (_, index) => `user${index}@receiver.example`)
    for (const _ of [1, 2, 3]) {
      const response = await fresh.session.call({ path: '/api/v1/emails', json: rawMail({ to }) })
      assert.equal(response.status, 202, response.text)
    }
  })
})

describe('README', () => {
  it('names the numbers of every plan', () => {
    const amount = (count: number | null) => (count === null ? 'no limit' : count.toLocaleString('en'))
    for (const [name, { monthly, daily }] of Object.entries(plans))
      assert.ok(quotas.includes(`| \`${name}\` | ${amount(monthly)} | ${amount(daily)} |`), name)
  })
})
