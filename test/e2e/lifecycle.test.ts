import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import net from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { connect, fresh, isFinal, rawMail } from '../support/client.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import type { SessionRecord } from '../support/records.ts'
import {
  makeDataDirectory,
  operatorToken,
  removeDataDirectory,
  runStandalone,
  type Standalone,
  startStandalone,
} from '../support/standalone.ts'
import { needsOwnProcess } from '../support/suite.ts'
import { until } from '../support/until.ts'

/** A stack trace. It does not help a user who made a mistake. */
const stackTrace = /\bat .*\.ts:\d+/

describe('start, stop and restart of a standalone process', () => {
  needsOwnProcess()
  let data: string
  let receiver: Receiver
  let running: Standalone[]

  beforeEach(async () => {
    data = await makeDataDirectory()
    receiver = await startReceiver()
    running = []
  })
  afterEach(async () => {
    for (const one of running) await one.kill9()
    await receiver.close()
    await removeDataDirectory(data)
  })

  const start = async (env: Record<string, string> = {}) => {
    const standalone = await startStandalone(
      { POSTRIDER_ROUTE: receiver.route, POSTRIDER_OPERATOR_TOKEN: operatorToken, ...env },
      data,
    )
    running.push(standalone)
    return { standalone, client: connect(standalone.url, operatorToken) }
  }

  for (const end of ['stop', 'kill9'] as const)
    it(`after ${end}, keys, sessions, records and idempotency keys are unchanged, and due mail is sent`, async () => {
      const first = await start()
      const tenant = await first.client.tenant()
      const { cookie, record: session } = tenant.session
      const deferred = fresh('later')
      receiver.refuse(deferred, { code: 451, text: 'Later' })
      const waiting = (await tenant.send(rawMail({ to: [deferred] }))).body
      await tenant.until(waiting.id, (email) => email.status === 'deferred')
      const delivered = (await tenant.send(rawMail(), { 'idempotency-key': 'first' })).body
      await tenant.until(delivered.id, isFinal)
      const soon = fresh('soon')
      const at = new Date(Date.now() + 1_000).toISOString()
      const mail = rawMail({ to: [soon], scheduled_at: at })
      const scheduled = await tenant.send(mail, { 'idempotency-key': 'again' })
      const template = await tenant.template({ text_body: 'x' })
      const code = await first.standalone[end]()
      if (end === 'stop') assert.equal(code, 0)
      first.client.close()

      const second = await start()
      const api = second.client.withKey(tenant.api.key)
      await receiver.waitFor(soon)
      const replay = await api.call({ path: '/api/v1/emails', json: mail, headers: { 'idempotency-key': 'again' } })
      assert.deepEqual([replay.status, replay.text], [202, scheduled.text])
      assert.equal(replay.headers['idempotent-replayed'], 'true')
      const read = async (id: string) =>
        (await api.call<{ status: string }>({ path: `/api/v1/emails/${id}` })).body.status
      assert.deepEqual([await read(waiting.id), await read(delivered.id)], ['deferred', 'delivered'])
      assert.equal((await api.call({ path: `/api/v1/templates/${template.id}` })).status, 200)
      const headers = { cookie, 'x-csrf-token': session.csrf_token }
      assert.equal((await second.client.call({ path: '/api/v1/auth/session', headers })).status, 200)
      const usage = await second.client.call<{ monthly: { used: number } }>({ path: '/api/v1/billing/usage', headers })
      assert.equal(usage.body.monthly.used, 3)
      assert.equal(receiver.to(soon).length, 1)
      second.client.close()
    })

  it('refuses to start on data that another process uses, without a stack trace', async () => {
    await start()
    const { code, output } = await runStandalone({ POSTRIDER_ROUTE: 'mailbox:' }, data)
    assert.equal(code, 1)
    assert.match(output, /another|already|in use|locked/i)
    assert.doesNotMatch(output, stackTrace)
  })

  it('refuses to start on data of a newer version, without a stack trace', async () => {
    const { standalone } = await start()
    await standalone.stop()
    const file = (await readdir(data)).find((name) => /\.(db|sqlite\d?)$/.test(name)) ?? assert.fail('no database')
    const database = new DatabaseSync(join(data, file))
    const raised = raiseSchema(database)
    database.close()
    assert.ok(raised)
    const { code, output } = await runStandalone({ POSTRIDER_ROUTE: 'mailbox:' }, data)
    assert.equal(code, 1)
    assert.match(output, /newer/i)
    assert.doesNotMatch(output, stackTrace)
  })

  it('reports a port in use without a stack trace', async () => {
    const holder = net.createServer().listen(0)
    await until('the port is in use', () => (holder.listening ? true : undefined))
    const { port } = holder.address() as net.AddressInfo
    const { code, output } = await runStandalone({ PORT: String(port) }, data)
    holder.close()
    assert.equal(code, 1)
    assert.match(output, new RegExp(`${port}.*in use|in use.*${port}`, 's'))
    assert.doesNotMatch(output, stackTrace)
  })

  // Formerly the process printed the error, but continued to listen and ignored SIGTERM.
  it('ends if the metrics port is in use', async () => {
    const taken = net.createServer().listen(0)
    await once(taken, 'listening')
    const { port } = taken.address() as net.AddressInfo
    const { code, output } = await runStandalone({ METRICS_PORT: String(port) }, data)
    taken.close()
    assert.equal(code, 1)
    assert.match(output, new RegExp(`Port ${port} is in use; choose another with METRICS_PORT`))
    assert.doesNotMatch(output, stackTrace)
  })

  // Formerly the first workspace was created before the ports were opened, so its owner and key were never printed.
  for (const variable of ['PORT', 'METRICS_PORT']) {
    it(`prints the owner and key at the second start if ${variable} was in use at the first, and not at the third`, async () => {
      const taken = net.createServer().listen(0)
      await once(taken, 'listening')
      const { port } = taken.address() as net.AddressInfo
      await runStandalone({ [variable]: String(port) }, data)
      taken.close()
      const { standalone } = await start()
      const printed = async () => (standalone.output().includes('curl') ? standalone.output() : undefined)
      assert.match(
        await until('the example request is printed', printed),
        /Owner +owner@\S+ +password[\s\S]+Test key +\w+/,
      )
      await standalone.stop()
      const later = (await start()).standalone
      const signUpHint = /Owner .*first start; if you lost them, sign up: POST http:\S+\/api\/v1\/auth\/signup/
      await until('the second start prints how to sign up', async () =>
        signUpHint.test(later.output()) ? true : undefined,
      )
      assert.doesNotMatch(later.output(), /Test key|curl/)
      assert.match(
        later.output(),
        /Mail is sent from mail@postrider\.localhost, which most servers reject; set POSTRIDER_SENDER\./,
      )
    })
  }

  // Formerly the shell between npm and Node did not forward the signal: npm ended, and the service continued to run.
  it('stops the service when npm start receives SIGTERM', async () => {
    const env = { ...process.env, PORT: '0', POSTRIDER_DATA: data, LOG_LEVEL: 'info' }
    const npm = spawn('npm', ['start'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
    let output = ''
    npm.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (!output.includes('listening') && (output + text).includes('listening')) npm.kill('SIGTERM')
      output += text
    })
    // The pipe closes when no process holds its other end, so Node has ended too.
    await once(npm, 'close')
    const again = await start()
    assert.equal(await again.standalone.stop(), 0)
  })

  it('reports a data directory that is a file without a stack trace', async () => {
    const file = join(data, 'file')
    writeFileSync(file, '')
    const { code, output } = await runStandalone({}, file)
    assert.equal(code, 1)
    assert.match(output, /The data directory .* cannot be created/)
    assert.doesNotMatch(output, stackTrace)
  })

  it('reports a damaged database without a stack trace and does not change it', async () => {
    const file = join(data, 'postrider.db')
    writeFileSync(file, 'not a database at all, but long enough to be read'.repeat(100))
    const before = readFileSync(file)
    const { code, output } = await runStandalone({}, data)
    assert.equal(code, 1)
    assert.match(output, /postrider\.db is damaged or is not a SQLite database/)
    assert.doesNotMatch(output, stackTrace)
    assert.deepEqual(readFileSync(file), before)
  })

  it('applies limits of the operator and names them in errors', async () => {
    const { client } = await start({
      POSTRIDER_SEND_RATE: '1/2',
      POSTRIDER_MAX_BODY_MIB: '3',
      POSTRIDER_MAX_MESSAGE_MIB: '1',
    })
    const tenant = await client.tenant({ rate: 'plan', burst: 'plan' })
    const tooLong = await tenant.send(rawMail({ text: 'A line.\n'.repeat(150_000) }))
    assert.deepEqual([tooLong.status, /over 1 MiB/.test(tooLong.text)], [413, true], tooLong.text)
    const tooLarge = await tenant.send(rawMail({ text: 'x'.repeat(3 * 2 ** 20) }))
    assert.deepEqual([tooLarge.status, /limit of 3 MiB/.test(tooLarge.text)], [413, true], tooLarge.text)
    // A busy machine can need a second for a few of them. Then one more is admitted.
    const answers = await Promise.all(Array.from({ length: 10 }, () => tenant.send(rawMail())))
    assert.ok(answers.some(({ status }) => status === 429))
  })

  it('reports an unknown variable that has no effect', async () => {
    const { standalone } = await start({ POSTRIDER_RUOTE: 'smtp://127.0.0.1:1' })
    assert.match(standalone.output(), /unknown variable POSTRIDER_RUOTE has no effect/)
  })

  it('exits with 2 on invalid configuration, lists every error and starts nothing', async () => {
    const invalid = { PORT: 'eighty', POSTRIDER_ROUTE: 'ftp://x', POSTRIDER_SIGNUP: 'maybe', LOG_LEVEL: 'loud' }
    const { code, output } = await runStandalone(invalid, data)
    assert.equal(code, 2)
    for (const name of Object.keys(invalid)) assert.match(output, new RegExp(`\\b${name}\\b`))
    assert.deepEqual(await readdir(data), [])
  })

  it('refuses the mail route mx:, which is not implemented yet', async () => {
    const { code, output } = await runStandalone({ POSTRIDER_ROUTE: 'mx:' }, data)
    assert.equal(code, 2)
    assert.match(output, /not supported yet/)
  })

  it('prints an address, a test key and a working curl command only at the first start', async () => {
    const { standalone, client } = await start()
    const key = /pr_test_[0-9A-Za-z]{33,}/.exec(standalone.output())?.[0] ?? assert.fail(standalone.output())
    assert.match(standalone.output(), /curl .*\/api\/v1\/emails/s)
    assert.equal((await client.withKey(key).call({ path: '/api/v1/emails', json: rawMail() })).status, 202)
    await standalone.stop()
    client.close()
    const again = await start()
    assert.doesNotMatch(again.standalone.output(), /pr_(test|live)_/)
    again.client.close()
  })

  it('prints a link at each start that signs the first owner in, once and after a button is pressed', async () => {
    const linkIn = async ({ output }: Pick<Standalone, 'output'>) =>
      until('the link is printed', () => /http:\S+(\/account\/sign-in\?token=([\w-]{43}))/.exec(output()) ?? undefined)
    const { standalone, client } = await start()
    const [url = '', path = '', token = ''] = await linkIn(standalone)
    assert.ok(url.startsWith(standalone.url), url)
    const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
    for (let opened = 0; opened < 2; opened++) {
      const page = await client.call<string>({ path, headers })
      assert.match(page.text, /<b>owner@postrider\.localhost<\/b>[\s\S]*<button type="submit">Sign in<\/button>/)
      assert.equal(page.headers['set-cookie'], undefined)
    }
    const press = (more: Record<string, string> = {}) =>
      client.call({ path: '/account/sign-in', body: `token=${token}`, headers: { ...headers, ...more } })
    assert.equal((await press({ origin: 'https://evil.example' })).status, 403)
    const signedIn = await press()
    assert.deepEqual([signedIn.status, signedIn.headers.location], [303, '/'], signedIn.text)
    const cookie = signedIn.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    const session = await client.call<SessionRecord>({ path: '/api/v1/auth/session', headers: { cookie } })
    assert.deepEqual([session.status, session.body.role], [200, 'owner'])
    assert.equal((await press()).status, 422)
    await standalone.stop()
    client.close()
    const again = await start()
    const [, , next] = await linkIn(again.standalone)
    assert.notEqual(next, token)
    await again.standalone.stop()
    again.client.close()
    const remote = await start({ POSTRIDER_PUBLIC_URL: 'https://mail.example.com' })
    await until('the banner is printed', () => remote.standalone.output().includes('first start') || undefined)
    assert.doesNotMatch(remote.standalone.output(), /sign-in/)
    remote.client.close()
  })

  it('only the owner can read the secret in the data directory', async () => {
    await start()
    const names = await readdir(data)
    const secret = names.find((name) => name.includes('secret')) ?? assert.fail(names.join())
    assert.equal(statSync(join(data, secret)).mode & 0o777, 0o600)
  })

  it('refuses sign-ups if POSTRIDER_SIGNUP is off', async () => {
    const { client } = await start({ POSTRIDER_SIGNUP: 'off' })
    const answer = await client.signUp()
    assert.deepEqual([answer.status, (answer.body as unknown as { code: string }).code], [403, 'forbidden'])
    client.close()
  })

  it('accepts no guessed operator token if none is configured', async () => {
    const { client } = await start({ POSTRIDER_OPERATOR_TOKEN: '' })
    for (const token of ['', 'undefined', operatorToken]) {
      const answer = await client.withOperatorToken(token).call({ path: '/api/v1/operator/workspaces' })
      assert.ok([401, 404].includes(answer.status), `${answer.status}`)
    }
    client.close()
  })

  it('delivers all accepted emails after a stop under load, and refuses only requests after the stop began', async () => {
    const { standalone, client } = await start()
    const tenant = await client.tenant()
    const accepted: string[] = []
    const failures: string[] = []
    let stopping = false
    const sender = async () => {
      for (;;) {
        const answer = await tenant.send(rawMail()).catch((reason: Error) => reason)
        if (answer instanceof Error) return stopping ? undefined : failures.push(answer.message)
        if (answer.status === 202) accepted.push(answer.body.id)
        else if (answer.status !== 503 || !stopping) return failures.push(answer.text)
      }
    }
    const senders = Array.from({ length: 8 }, sender)
    await until('50 emails are accepted', () => (accepted.length > 50 ? true : undefined))
    stopping = true
    assert.equal(await standalone.stop(), 0)
    await Promise.all(senders)
    assert.deepEqual(failures, [])
    client.close()
    const second = await start()
    const api = second.client.withKey(tenant.api.key)
    for (const id of accepted) {
      const look = async () => {
        const { body } = await api.call<{ status: string }>({ path: `/api/v1/emails/${id}` })
        return body.status === 'delivered' ? true : undefined
      }
      await until(`${id} is delivered`, look)
    }
    second.client.close()
  })
})

/** Sets the schema version to a future one. Returns false if the database has no schema version. */
const raiseSchema = (database: DatabaseSync): boolean => {
  const { user_version } = database.prepare('PRAGMA user_version').get() as { user_version: number }
  if (user_version > 0) {
    database.exec('PRAGMA user_version = 9999')
    return true
  }
  return false
}
