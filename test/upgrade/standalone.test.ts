import assert from 'node:assert/strict'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Client, connect } from '../support/client.ts'
import { freePort } from '../support/freePort.ts'
import { root } from '../support/project.ts'
import { type SmtpSink, smtpSink } from '../support/smtpSink.ts'
import {
  makeDataDirectory,
  operatorToken,
  removeDataDirectory,
  runStandalone,
  startStandalone,
} from '../support/standalone.ts'
import { begin, nullFields } from './begun.ts'
import { useLastRelease } from './tree.ts'

const schemaOf = (data: string): unknown => {
  using file = new DatabaseSync(join(data, 'postrider.db'), { readOnly: true })
  return file.prepare('PRAGMA user_version').get()?.['user_version']
}

describe('data directory of the last release', function upgradeSuite() {
  const release = useLastRelease()
  const stack = new AsyncDisposableStack()
  let sink: SmtpSink
  let client: Client
  let env: Record<string, string>
  let [data, backup] = ['', '']

  before(async () => {
    sink = stack.use(await smtpSink())
    const port = await freePort()
    env = {
      PORT: String(port),
      METRICS_PORT: '0',
      POSTRIDER_ROUTE: `smtp://127.0.0.1:${sink.port}`,
      POSTRIDER_OPERATOR_TOKEN: operatorToken,
      POSTRIDER_TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
    }
    client = connect(`http://localhost:${port}`, operatorToken)
    stack.defer(() => client.close())
    data = stack.adopt(await makeDataDirectory(), removeDataDirectory)
    backup = stack.adopt(await makeDataDirectory(), removeDataDirectory)
  })
  after(() => stack.disposeAsync())

  /** Runs a version on a directory during `work`, then stops it. */
  const running = async <T>(tree: string, directory: string, work: () => Promise<T>): Promise<T> => {
    const standalone = await startStandalone(env, directory, tree)
    try {
      return await work()
    } finally {
      assert.equal(await standalone.stop(), 0, standalone.output())
    }
  }

  it('is complete after an upgrade, and usable by the last release again, or from its backup', async () => {
    const old = release().folder
    const begun = await running(old, data, () => begin({ client, sink }, nullFields))
    const schema = schemaOf(data)
    await cp(data, backup, { recursive: true })
    const begunByNew = await running(root, data, async () => {
      await begun.ends()
      await begun.changesTemplate()
      return begin({ client, sink })
    })
    if (schemaOf(data) === schema) return running(old, data, begunByNew.ends)

    // The schema has changed: the old version must refuse the directory, and a rollback uses the backup.
    const { code, output } = await runStandalone(env, data, old)
    assert.equal(code, 1, output)
    assert.match(output, /written by a newer version/)
    await running(old, backup, async () => {
      assert.equal((await begun.tenant.list('?limit=1')).data.length, 1)
    })
  })
})
