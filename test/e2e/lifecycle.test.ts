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

/** What no person should have to read who made a mistake. */
const stack = /\bat .*\.ts:\d+/

describe('starting, stopping, starting again', () => {
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
    it(`after ${end} everything is as it was: keys, sessions, records, answers of used keys, and due mail leaves`, async () => {
      const first = await start()
      const tenant = await first.client.tenant()
      const { cookie, record: session } = tenant.session
      const deferred = fresh('later')
      receiver.refuse(deferred, { code: 451, text: 'Later' })
      const waiting = (await tenant.send(rawMail({ to: [deferred] }))).body
      await tenant.until(waiting.id, (email) => email.status === 'deferred')
      const delivered = (await tenant.send(rawMail(), { 'idempotency-key': 'kept' })).body
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

  it('a second process on the same data is refused in plain words', async () => {
    await start()
    const { code, output } = await runStandalone({ POSTRIDER_ROUTE: 'mailbox:' }, data)
    assert.equal(code, 1)
    assert.match(output, /another|already|in use|locked/i)
    assert.doesNotMatch(output, stack)
  })

  it('data of a newer version is refused in plain words and left as it is', async () => {
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
    assert.doesNotMatch(output, stack)
  })

  it('a port in use is told in plain words', async () => {
    const holder = net.createServer().listen(0)
    await until('it listens', () => (holder.listening ? true : undefined))
    const { port } = holder.address() as net.AddressInfo
    const { code, output } = await runStandalone({ PORT: String(port) }, data)
    holder.close()
    assert.equal(code, 1)
    assert.match(output, new RegExp(`${port}.*in use|in use.*${port}`, 's'))
    assert.doesNotMatch(output, stack)
  })

  // It used to print the fault and stay, holding the port and deaf to SIGTERM.
  it('a metrics port in use ends the process too', async () => {
    const taken = net.createServer().listen(0)
    await once(taken, 'listening')
    const { port } = taken.address() as net.AddressInfo
    const { code, output } = await runStandalone({ METRICS_PORT: String(port) }, data)
    taken.close()
    assert.equal(code, 1)
    assert.match(output, new RegExp(`Port ${port} is in use; choose another with METRICS_PORT`))
    assert.doesNotMatch(output, stack)
  })

  // The first workspace used to be made before: its owner and key were never told.
  for (const variable of ['PORT', 'METRICS_PORT']) {
    it(`after a first start whose ${variable} was in use the next tells the owner and the key, and it alone`, async () => {
      const taken = net.createServer().listen(0)
      await once(taken, 'listening')
      const { port } = taken.address() as net.AddressInfo
      await runStandalone({ [variable]: String(port) }, data)
      taken.close()
      const { standalone } = await start()
      const told = async () => (standalone.output().includes('curl') ? standalone.output() : undefined)
      assert.match(await until('it says how mail is sent', told), /Owner +owner@\S+ +password[\s\S]+Test key +\w+/)
      await standalone.stop()
      const later = (await start()).standalone
      const words = /Owner .*first start; if you lost them, sign up: POST http:\S+\/api\/v1\/auth\/signup/
      await until('it says what to do without them', async () => (words.test(later.output()) ? true : undefined))
      assert.doesNotMatch(later.output(), /Test key|curl/)
      assert.match(
        later.output(),
        /Mail is sent from mail@postrider\.localhost, which most servers reject; set POSTRIDER_SENDER\./,
      )
    })
  }

  // The shell between npm and Node used to keep the signal for itself: npm ended, and the service lived on.
  it('a SIGTERM to npm start stops the service', async () => {
    const env = { ...process.env, PORT: '0', POSTRIDER_DATA: data, LOG_LEVEL: 'info' }
    const npm = spawn('npm', ['start'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
    let output = ''
    npm.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (!output.includes('listening') && (output + text).includes('listening')) npm.kill('SIGTERM')
      output += text
    })
    // Closed only when nobody holds its end any more, so Node is gone as well.
    await once(npm, 'close')
    const again = await start()
    assert.equal(await again.standalone.stop(), 0)
  })

  it('a data directory that is a file is told in plain words', async () => {
    const file = join(data, 'file')
    writeFileSync(file, '')
    const { code, output } = await runStandalone({}, file)
    assert.equal(code, 1)
    assert.match(output, /The data directory .* cannot be created/)
    assert.doesNotMatch(output, stack)
  })

  it('a damaged database is told in plain words and left as it is', async () => {
    const file = join(data, 'postrider.db')
    writeFileSync(file, 'not a database at all, but long enough to be looked at'.repeat(100))
    const before = readFileSync(file)
    const { code, output } = await runStandalone({}, data)
    assert.equal(code, 1)
    assert.match(output, /postrider\.db is damaged or is not a SQLite database/)
    assert.doesNotMatch(output, stack)
    assert.deepEqual(readFileSync(file), before)
  })

  it('limits are the operator’s to set, and a breach names the one that holds', async () => {
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
    // A busy machine may take a second for a few of them, in which one more is admitted.
    const answers = await Promise.all(Array.from({ length: 10 }, () => tenant.send(rawMail())))
    assert.ok(answers.some(({ status }) => status === 429))
  })

  it('a mistyped variable is told, and has no effect', async () => {
    const { standalone } = await start({ POSTRIDER_RUOTE: 'smtp://127.0.0.1:1' })
    assert.match(standalone.output(), /unknown variable POSTRIDER_RUOTE has no effect/)
  })

  it('bad configuration ends with 2 and lists every fault, and nothing was started', async () => {
    const bad = { PORT: 'eighty', POSTRIDER_ROUTE: 'ftp://x', POSTRIDER_SIGNUP: 'maybe', LOG_LEVEL: 'loud' }
    const { code, output } = await runStandalone(bad, data)
    assert.equal(code, 2)
    for (const name of Object.keys(bad)) assert.match(output, new RegExp(`\\b${name}\\b`))
    assert.deepEqual(await readdir(data), [])
  })

  it('the mx: route is not there yet, and says so', async () => {
    const { code, output } = await runStandalone({ POSTRIDER_ROUTE: 'mx:' }, data)
    assert.equal(code, 2)
    assert.match(output, /not supported yet/)
  })

  it('the first start prints an address, a test key and a curl that works; the next one tells no key', async () => {
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

  it('the secret of the data directory is for its owner alone', async () => {
    await start()
    const names = await readdir(data)
    const secret = names.find((name) => name.includes('secret')) ?? assert.fail(names.join())
    assert.equal(statSync(join(data, secret)).mode & 0o777, 0o600)
  })

  it('with sign-up off nobody signs up', async () => {
    const { client } = await start({ POSTRIDER_SIGNUP: 'off' })
    const answer = await client.signUp()
    assert.deepEqual([answer.status, (answer.body as unknown as { code: string }).code], [403, 'forbidden'])
    client.close()
  })

  it('without an operator token the operator API is off', async () => {
    const { client } = await start({ POSTRIDER_OPERATOR_TOKEN: '' })
    for (const token of ['', 'undefined', operatorToken]) {
      const answer = await client.withOperatorToken(token).call({ path: '/api/v1/operator/workspaces' })
      assert.ok([401, 404].includes(answer.status), `${answer.status}`)
    }
    client.close()
  })

  it('a stop under load loses no answer: what was accepted is kept, what comes later is refused or not connected', async () => {
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
    await until('some were accepted', () => (accepted.length > 50 ? true : undefined))
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

/** Makes the schema's number one that no version has yet, wherever it is kept. @returns whether it was found */
const raiseSchema = (database: DatabaseSync): boolean => {
  const { user_version } = database.prepare('PRAGMA user_version').get() as { user_version: number }
  if (user_version > 0) {
    database.exec('PRAGMA user_version = 9999')
    return true
  }
  return false
}
