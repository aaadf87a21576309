import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { run } from '@postrider/cli/run.ts'
import { eventTypes } from '@postrider/domain/events/event.ts'
import { fresh, isFinal, type Tenant } from '../support/client.ts'
import { bodyOf, startHook, verified } from '../support/hooks.ts'
import { secured } from '../support/operatorUser.ts'
import { colleague } from '../support/people.ts'
import { compiledIn, root } from '../support/project.ts'
import { operatorToken } from '../support/standalone.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'
import { startWebhookServer } from '../support/webhookReceiver.ts'

/** The program as `npm ci` installs it. */
const program = join(root, 'node_modules/.bin/postrider')

type Ended = { code: number | null; out: string; err: string }

type Problem = { error: { code: string; message: string; hint: string | null; request_id: string | null } }

describe('command line', () => {
  const system = useSystem()
  let tenant: Tenant
  let folder = ''
  let env: Record<string, string> = {}

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postrider-cli-'))
    tenant = await system().client.tenant()
    const { key } = await tenant.makeKey({ scopes: ['emails:send', 'emails:read', 'templates:read', 'webhooks:write'] })
    env = { POSTRIDER_URL: system().client.url, POSTRIDER_API_KEY: key }
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const start = (args: readonly string[], variables = env): ChildProcess =>
    spawn(program, args, {
      env: { PATH: process.env['PATH'], ...compiledIn(root), XDG_CONFIG_HOME: folder, ...variables },
      stdio: ['pipe', 'pipe', 'pipe'],
    })

  const call = async (args: readonly string[], { input = '', variables = env } = {}): Promise<Ended> => {
    const child = start(args, variables)
    child.stdin?.end(input)
    const [out, err, [code]] = await Promise.all([
      text(child.stdout ?? assert.fail()),
      text(child.stderr ?? assert.fail()),
      once(child, 'close') as Promise<[number | null]>,
    ])
    return { code, out, err }
  }

  const json = async <T>(...args: string[]): Promise<T> => {
    const { code, out, err } = await call(args)
    assert.equal(code, 0, err)
    return JSON.parse(out) as T
  }

  const problemOf = ({ err }: Ended): Problem['error'] => (JSON.parse(err) as Problem).error

  /** Runs a command in this process. Each test starts at least one of its own, which uses 0.2 s of CPU. */
  const inside = async (
    args: readonly string[],
    { input = '', variables = env, isTerminal = false } = {},
  ): Promise<Ended> => {
    const [out, err]: [string[], string[]] = [[], []]
    const terminal = {
      env: variables,
      out: (written: string) => void out.push(written),
      err: (written: string) => void err.push(written),
      isTerminal,
      isInteractive: false,
      readInput: async () => input,
      readSecret: async () => '',
      configFolder: folder,
      stopped: new AbortController().signal,
    }
    const code = await run(args, terminal, '1.2.3')
    return { code, out: out.join(''), err: err.join('') }
  }

  const jsonInside = async <T>(...args: string[]): Promise<T> => {
    const { code, out, err } = await inside(args)
    assert.equal(code, 0, err)
    return JSON.parse(out) as T
  }

  const onTerminal = (...args: string[]): Promise<Ended> => inside(args, { isTerminal: true })

  type Email = { id: string; status: string; tags: Record<string, string>; attempts?: unknown[] }

  // npx packed the whole project, built the dashboard, and failed on the project's rule about install scripts.
  it('npx runs the program that npm ci installed', async () => {
    const child = spawn('npx', ['--offline', 'postrider', '--version'], {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: folder, ...compiledIn(root) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ])
    assert.equal(code, 0, err)
    assert.match(out, /^\d+\.\d+\.\d+\n$/)
  })

  it('sends mail, lists it and reads it, as JSON', async () => {
    const to = fresh()
    await writeFile(join(folder, 'note.txt'), 'attached')
    const sent = await json<Email>(
      ...['send', '--to', to, '--subject', 'Hello', '--text-file', join(folder, 'note.txt')],
      ...['--tag', 'team=billing', '--attach', join(folder, 'note.txt')],
    )
    assert.match(sent.id, /^em_/)
    assert.deepEqual(sent.tags, { team: 'billing' })
    const list = await jsonInside<{ object: string; data: Email[] }>('emails', 'list', '--to', to)
    assert.deepEqual([list.object, list.data.map(({ id }) => id)], ['list', [sent.id]])
    await tenant.until(sent.id, isFinal)
    const read = await jsonInside<Email>('emails', 'get', sent.id)
    assert.deepEqual([read.status, read.attempts?.length], ['delivered', 1])
  })

  it('shows tables on a terminal, without control characters of a subject', async () => {
    const to = fresh()
    const args = ['send', '--to', to, '--subject', 'Hello \u202eWorld', '--text', 'x']
    const sent = await onTerminal(...args)
    assert.match(sent.out, /^em_\w+ is (?:queued|sending|delivered)\.\n$/, sent.err)
    const { out } = await onTerminal('emails', 'list', '--to', to)
    assert.match(out, /^ID +CREATED +STATUS +TO +SUBJECT\nem_/)
    assert.ok(!out.includes('\u202e'))
    const id = /em_\w+/.exec(sent.out)?.[0] ?? ''
    assert.match((await onTerminal('emails', 'get', id)).out, /email\.accepted/)
    assert.deepEqual(JSON.parse((await onTerminal('emails', 'get', id, '--json')).out).id, id)
  })

  it('ends with 1 and the request id when the server refuses, and with 2 when it is called in a wrong way', async () => {
    const refused = await call(['send', '--to', 'not-an-address', '--subject', 's', '--text', 't'])
    assert.deepEqual([refused.code, refused.out, problemOf(refused).code], [1, '', 'validation_failed'])
    assert.match(problemOf(refused).request_id ?? '', /^req_/)
    const shown = await onTerminal('emails', 'get', 'em_01h2xcejqtf2nbrexx3vqjhp41')
    assert.equal(shown.code, 1)
    assert.match(shown.err, /^error: .+\nwhat to do: Check the id.+\nrequest id: req_\w+\n$/)
    const usages = [
      ['send', '--subject', 's'],
      ['emails', 'list', '--limit', '101'],
      ['emails', 'list', '--status', 'done'],
      ['emails', 'get'],
      ['emails', 'remove'],
      ['send', '--to', 'a@b.example', '--var', 'a=b'],
      ['send', '--to', 'a@b.example', '--tag', 'team'],
      ['events', 'tail', '--type', 'email.sended'],
      ['webhooks', 'trigger', 'email.sended'],
      ['webhooks', 'trigger', 'email.sent', '--secret', 'whsec_x'],
      ['webhooks', 'listen'],
      ['webhooks', 'listen', '--forward-to', 'ftp://localhost/'],
    ]
    for (const [index, args] of usages.entries()) {
      const wrong = await (index === 0 ? call : inside)(args)
      assert.deepEqual([wrong.code, wrong.out, problemOf(wrong).code], [2, '', 'usage'], args.join(' '))
    }
  })

  it('describes every command and option in its help', async () => {
    for (const args of [
      [],
      ['send'],
      ['emails', 'list'],
      ['events', 'tail'],
      ['webhooks', 'listen'],
      ['webhooks', 'trigger'],
    ]) {
      const { code, out } = await onTerminal(...args, '--help')
      assert.equal(code, 0)
      for (const [line, option] of out.matchAll(/^ {2}(-[^\n]*?)$/gm)) {
        const next = out.slice(out.indexOf(line) + line.length).split('\n')[1] ?? ''
        assert.match(`${option}\n${next}`, /^-\S.*?(?: {2}|\n {5,})\S/, line)
      }
    }
    assert.deepEqual((await onTerminal('--version')).out, '1.2.3\n')
  })

  it('stores a login for the user alone, tries the key first, and prefers the environment', async () => {
    const url = system().client.url
    const key = env['POSTRIDER_API_KEY'] ?? ''
    const alone = { variables: {} }
    assert.equal(problemOf(await inside(['emails', 'list'], alone)).code, 'no_credentials')
    const typo = await inside(['login', '--url', url], { input: `${key}x\n`, variables: {} })
    assert.deepEqual([typo.code, problemOf(typo).code], [1, 'invalid_key'])
    const unknown = 'pr_live_000000000000000000000000000PHALFa'
    const bad = await inside(['login', '--url', url], { input: `${unknown}\n`, variables: {} })
    assert.equal(bad.code, 1)
    const done = await call(['login', '--url', url], { input: `${key}\n`, variables: {} })
    assert.equal(done.code, 0, done.err)
    const { file } = JSON.parse(done.out) as { file: string }
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.ok(!done.out.includes(key))
    assert.equal((await call(['emails', 'list'], alone)).code, 0)
    const other = await tenant.makeKey({ scopes: ['templates:read'] })
    const byEnvironment = await inside(['emails', 'list'], { variables: { POSTRIDER_API_KEY: other.key } })
    assert.equal(problemOf(byEnvironment).code, 'insufficient_scope')
    // The stored key is never sent to another server.
    await using server = await startWebhookServer()
    const elsewhere = await inside(['emails', 'list'], { variables: { POSTRIDER_URL: server.url } })
    assert.deepEqual([problemOf(elsewhere).code, server.connections], ['no_credentials', 0])
    assert.equal((await inside(['logout'], alone)).code, 0)
    assert.equal(problemOf(await inside(['emails', 'list'], alone)).code, 'no_credentials')
  })

  it('adds, lists and removes operators with the operator’s token', async () => {
    const { session, email, id } = await colleague(system(), tenant, 'viewer')
    const variables = { POSTRIDER_URL: system().client.url, POSTRIDER_OPERATOR_TOKEN: operatorToken }
    const operators = async (...args: string[]) => {
      const { code, out, err } = await inside(['operators', ...args], { variables })
      assert.equal(code, 0, err)
      return JSON.parse(out) as { id: string; email: string; totp_enabled: boolean; data: { id: string }[] }
    }
    const isListed = async () => (await operators('list')).data.some((one) => one.id === id)
    const early = await call(['operators', 'add', email], { variables })
    assert.deepEqual([early.code, problemOf(early).code], [1, 'validation_failed'])
    assert.match(early.err, /no two-factor authentication; the person must switch it on first/)
    await secured(system(), session)
    const added = await operators('add', email)
    assert.deepEqual([added.id, added.email, added.totp_enabled], [id, email, true])
    assert.equal(await isListed(), true)
    assert.equal((await operators('remove', email.toUpperCase())).id, id)
    assert.equal(await isListed(), false)

    const again = await inside(['operators', 'remove', email], { variables })
    assert.deepEqual([again.code, problemOf(again).code], [1, 'not_found'])
    const unknown = await inside(['operators', 'add', fresh('no-one')], { variables })
    assert.deepEqual([unknown.code, problemOf(unknown).code], [1, 'validation_failed'])
    const byKey = { ...variables, POSTRIDER_OPERATOR_TOKEN: env['POSTRIDER_API_KEY'] ?? '' }
    const refused = problemOf(await inside(['operators', 'list'], { variables: byKey }))
    assert.deepEqual([refused.code, refused.hint?.includes('POSTRIDER_OPERATOR_TOKEN')], ['unauthenticated', true])
    assert.equal(problemOf(await inside(['operators', 'list'])).code, 'no_credentials')
  })

  it('repeats a send whose response is lost with the same Idempotency-Key', async () => {
    const keys: (string | undefined)[] = []
    await using server = await startWebhookServer((seen) => {
      keys.push(seen.headers['idempotency-key'])
      if (keys.length === 1) return { end: 'early', body: '{' }
      return { status: 202, body: JSON.stringify({ id: 'em_1', status: 'queued', notices: [] }) }
    })
    const { code, err } = await call(['send', '--to', 'a@b.example', '--subject', 's', '--text', 't'], {
      variables: { ...env, POSTRIDER_URL: server.url },
    })
    assert.equal(code, 0, err)
    assert.equal(keys.length, 2)
    assert.ok(keys[0] !== undefined && keys[0] === keys[1])
  })

  /** Starts a command that runs until it is stopped. */
  const following = (...args: string[]) => {
    const child = start(args)
    const lines: Record<string, unknown>[] = []
    createInterface({ input: child.stdout ?? assert.fail() }).on('line', (line) => lines.push(JSON.parse(line)))
    const errors = text(child.stderr ?? assert.fail())
    return {
      lines,
      first: () => until('the first line', () => lines[0]),
      stop: async (signal: NodeJS.Signals): Promise<void> => {
        const ended = once(child, 'close')
        child.kill(signal)
        assert.deepEqual([(await ended)[0], await errors], [0, ''])
      },
    }
  }

  it('prints the latest events and then new events, each once', async () => {
    const { body: before } = await tenant.send({ to: [fresh()], subject: 's', text: 't' })
    await tenant.until(before.id, isFinal)
    const latest = await inside(['events', 'tail', '--no-follow', '--lines', '3'])
    const events = latest.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string })
    assert.deepEqual(events.at(-1)?.type, 'email.delivered', latest.err)
    assert.equal(events.length, 3)
    const tail = following('events', 'tail', '--lines', '1')
    await tail.first()
    const { body } = await tenant.send({ to: [fresh()], subject: 's', text: 't' })
    const ofMail = () => tail.lines.filter(({ data }) => (data as { email_id: string }).email_id === body.id)
    await until('all events of the mail', () => (ofMail().length >= 3 ? true : undefined))
    await tail.stop('SIGINT')
    assert.equal(new Set(tail.lines.map(({ id }) => id)).size, tail.lines.length)
    assert.deepEqual(
      ofMail().map(({ type }) => type),
      ['email.accepted', 'email.sent', 'email.delivered'],
    )
  })

  it('forwards new events to a local server, signed with the secret that it prints', async () => {
    await using server = await startWebhookServer()
    const listen = following('webhooks', 'listen', '--forward-to', server.url)
    const { secret, forward_to } = (await listen.first()) as { secret: string; forward_to: string }
    assert.equal(forward_to, server.url)
    const { body } = await tenant.send({ to: [fresh()], subject: 's', text: 't' })
    const posted = () => server.seen.filter((seen) => bodyOf(seen).data['email_id'] === body.id)
    await until('all events are posted', () => (posted().length >= 3 ? true : undefined))
    for (const seen of posted()) assert.equal(seen.body, JSON.stringify(verified(secret, seen)))
    await until('the last line', () => listen.lines.find(({ type }) => type === 'email.delivered'))
    assert.equal(listen.lines.at(-1)?.['status'], 200)
    await listen.stop('SIGTERM')
  })

  it('triggers every type of event at a local server, and reports an event that is not accepted', async () => {
    await using server = await startWebhookServer((_) => ({ status: server.seen.length > 1 ? 500 : 204 }))
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='
    const args = ['webhooks', 'trigger', 'email.bounced', '--forward-to', server.url, '--secret', secret]
    const accepted = await call(args, { variables: {} })
    assert.equal(accepted.code, 0, accepted.err)
    const [seen] = server.seen
    assert.deepEqual(verified(secret, seen ?? assert.fail()).data['test'], true)
    const refused = await inside(args, { variables: {} })
    assert.deepEqual([refused.code, problemOf(refused).code], [1, 'not_accepted'])
    for (const type of eventTypes) {
      const { err } = await onTerminal('webhooks', 'trigger', type, '--forward-to', server.url, '--secret', secret)
      assert.match(err, /status 500/)
    }
    assert.deepEqual(
      server.seen.slice(2).map((one) => verified(secret, one).type),
      [...eventTypes],
    )
  })

  it("advises the receiver's secret when an event with a new secret gets 401", async () => {
    await using server = await startWebhookServer((_) => ({ status: 401 }))
    const trigger = ['webhooks', 'trigger', 'email.sent', '--forward-to', server.url]
    // Regression: a note preceded the JSON of the error.
    const unknown = await call(trigger, { variables: {} })
    assert.match(problemOf(unknown).hint ?? '', /--secret/)
    const { secret } = JSON.parse(unknown.out) as { secret: string }
    assert.equal(verified(secret, server.seen[0] ?? assert.fail()).type, 'email.sent')
    const given = await inside([...trigger, '--secret', secret], { variables: {} })
    assert.equal(problemOf(given).hint, null)
  })

  it('requests a test event of a webhook from the server', async () => {
    const owner = { call: tenant.session.call }
    await using hook = await startHook(owner, { events: ['email.sent'] })
    const delivery = await json<{ status: string; test: boolean }>('webhooks', 'trigger', 'email.bounced')
    assert.deepEqual([delivery.status, delivery.test], ['delivered', true])
    assert.equal(bodyOf(hook.seen[0] ?? assert.fail()).type, 'email.bounced')
    const list = await jsonInside<{ data: { id: string }[] }>('webhooks', 'list')
    assert.deepEqual(
      list.data.map(({ id }) => id),
      [hook.id],
    )
    await using second = await startHook(owner, {}, () => ({ status: 500 }))
    assert.equal((await inside(['webhooks', 'trigger', 'email.sent'])).code, 2)
    const refused = await inside(['webhooks', 'trigger', 'email.sent', '--webhook', second.id])
    assert.deepEqual([refused.code, JSON.parse(refused.out).status], [1, 'failed'])
  })
})
