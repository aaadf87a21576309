import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import http from 'node:http'
import net from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Fault } from '@postrider/kit/fault.ts'
import { type Client, connect, fresh, isFinal, rawMail } from '../support/client.ts'
import { ownService } from '../support/ownService.ts'
import { compiledIn, root } from '../support/project.ts'
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

/**
 * Returns the message of the Fault that ends the start of a service in this process. A process prints only this message
 * and exits with 1: the tests of `run` and those of `runStandalone` check that.
 */
const refusal = async (env: Record<string, string>, data: string): Promise<string> => {
  const reason: unknown = await ownService(env, { data }).then(
    (own) => own[Symbol.asyncDispose](),
    (thrown: unknown) => thrown,
  )
  return reason instanceof Fault ? reason.message : assert.fail(`not refused: ${String(reason)}`)
}

/** A stack trace. It does not help a user who made a mistake. */
const stackTrace = /\bat .*\.ts:\d+/

/**
 * Provides one data directory and one receiver to the tests of the calling `describe`, and the process that uses both.
 * A start of a process costs more than most tests, so tests share one where they do not need their own.
 */
const useDirectory = () => {
  const stack = new AsyncDisposableStack()
  let data = ''
  let receiver: Receiver
  let running: { standalone: Standalone; client: Client } | null = null

  const end = async (how: 'stop' | 'kill9'): Promise<number | null> => {
    if (running === null) return null
    const { standalone, client } = running
    running = null
    const code = (await standalone[how]()) ?? null
    client.close()
    return code
  }
  before(async () => {
    data = stack.adopt(await makeDataDirectory(), removeDataDirectory)
    receiver = stack.use(await startReceiver())
    stack.defer(async () => {
      await end('kill9')
    })
  })
  after(() => stack.disposeAsync())

  const start = async (env: Record<string, string> = {}) => {
    const own = { POSTRIDER_ROUTE: receiver.route, POSTRIDER_OPERATOR_TOKEN: operatorToken }
    const standalone = await startStandalone({ ...own, ...env }, data)
    running = { standalone, client: connect(standalone.url, operatorToken) }
    return running
  }
  return {
    data: () => data,
    receiver: () => receiver,
    start,
    /** Returns the running process, or starts one if a test failed while none was running. */
    running: async () => running ?? start(),
    /** Ends the running process. Returns its exit code. */
    end,
  }
}

describe('start, stop and restart of a standalone process', () => {
  needsOwnProcess()

  describe('without a usable configuration or data', () => {
    let data: string
    beforeEach(async () => {
      data = await makeDataDirectory()
    })
    afterEach(() => removeDataDirectory(data))

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
      assert.match(await refusal({}, data), /postrider\.db is damaged or is not a SQLite database\. Restore a backup/)
      assert.deepEqual(readFileSync(file), before)
    })

    it('exits with 2 on invalid configuration, lists every error, also a route that is not implemented, and starts nothing', async () => {
      const invalid = { PORT: 'eighty', POSTRIDER_ROUTE: 'mx:', POSTRIDER_SIGNUP: 'maybe', LOG_LEVEL: 'loud' }
      const { code, output } = await runStandalone(invalid, data)
      assert.equal(code, 2)
      for (const name of Object.keys(invalid)) assert.match(output, new RegExp(`\\b${name}\\b`))
      assert.match(output, /not supported yet/)
      assert.deepEqual(await readdir(data), [])
    })
  })

  describe('at its first start', () => {
    const { data, start, running, end } = useDirectory()

    const usedPort = async () => {
      const holder = net.createServer().listen(0)
      await once(holder, 'listening')
      const { port } = holder.address() as net.AddressInfo
      return { port: String(port), [Symbol.dispose]: () => void holder.close() }
    }

    // Regression: the first workspace was created before the ports were opened, so its owner and key were never
    // printed. The first start that succeeds prints them, below.
    it('refuses to start if PORT is in use', async () => {
      using used = await usedPort()
      const message = new RegExp(`${used.port}.*in use|in use.*${used.port}`, 's')
      assert.match(await refusal({ PORT: used.port }, data()), message)
    })

    // Regression: the process, which listens on PORT by then, printed the error, but continued and ignored SIGTERM.
    it('ends without a stack trace if METRICS_PORT is in use', async () => {
      using used = await usedPort()
      const { code, output } = await runStandalone({ METRICS_PORT: used.port }, data())
      assert.equal(code, 1)
      assert.match(output, new RegExp(`Port ${used.port} is in use; choose another with METRICS_PORT`))
      assert.doesNotMatch(output, stackTrace)
    })

    it('prints an address, the owner, a test key and a working curl command', async () => {
      const { standalone, client } = await start({
        POSTRIDER_RUOTE: 'smtp://127.0.0.1:1',
        POSTRIDER_SIGNUP: 'off',
        POSTRIDER_OPERATOR_TOKEN: '',
      })
      const printed = () => (standalone.output().includes('curl') ? standalone.output() : undefined)
      const output = await until('the example request is printed', printed)
      assert.match(output, /Owner +owner@\S+ +password[\s\S]+Test key +\w+/)
      assert.match(output, /curl .*\/api\/v1\/emails/s)
      const key = /pr_test_[0-9A-Za-z]{33,}/.exec(output)?.[0] ?? assert.fail(output)
      assert.equal((await client.withKey(key).call({ path: '/api/v1/emails', json: rawMail() })).status, 202)
    })

    it('reports an unknown variable that has no effect', async () => {
      const { standalone } = await running()
      assert.match(standalone.output(), /unknown variable POSTRIDER_RUOTE has no effect/)
    })

    it('keeps its secret in a file of the data directory that only its owner can read', async () => {
      const names = await readdir(data())
      const secret = names.find((name) => name.includes('secret')) ?? assert.fail(names.join())
      assert.equal(statSync(join(data(), secret)).mode & 0o777, 0o600)
    })

    it('refuses sign-ups if POSTRIDER_SIGNUP is off', async () => {
      const { client } = await running()
      const response = await client.signUp()
      assert.deepEqual([response.status, (response.body as unknown as { code: string }).code], [403, 'forbidden'])
    })

    it('accepts no guessed operator token if none is configured', async () => {
      const { client } = await running()
      for (const token of ['', 'undefined', operatorToken]) {
        const response = await client.withOperatorToken(token).call({ path: '/api/v1/operator/workspaces' })
        assert.ok([401, 404].includes(response.status), `${response.status}`)
      }
    })

    it('keeps another process from its data, which reports that without a stack trace', async () => {
      await running()
      assert.match(await refusal({}, data()), /another|already|in use|locked/i)
    })

    const linkIn = async ({ output }: Pick<Standalone, 'output'>) =>
      until('the link is printed', () => /http:\S+(\/account\/sign-in\?token=([\w-]{43}))/.exec(output()) ?? undefined)
    let firstToken = ''

    it('prints a link that signs the first owner in, once and after a button is pressed', async () => {
      const { standalone, client } = await running()
      const [url = '', path = '', token = ''] = await linkIn(standalone)
      firstToken = token
      assert.ok(url.startsWith(standalone.url), url)
      const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
      for (let opened = 0; opened < 2; opened++) {
        const page = await client.call<string>({ path, headers })
        assert.match(page.text, /<b>owner@postrider\.localhost<\/b>[\s\S]*<button type="submit">Log in<\/button>/)
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
    })

    describe('and then at later starts', () => {
      before(async () => {
        await end('stop')
        await start({ POSTRIDER_SEND_RATE: '1/2', POSTRIDER_MAX_BODY_MIB: '3', POSTRIDER_MAX_MESSAGE_MIB: '1' })
      })

      it('prints how to sign up and another link, but no key', async () => {
        const { standalone } = await running()
        const signUpHint = /Owner .*first start; if you lost them, sign up: POST http:\S+\/api\/v1\/auth\/signup/
        await until('the start prints how to sign up', () => signUpHint.test(standalone.output()) || undefined)
        const [, , token] = await linkIn(standalone)
        assert.notEqual(token, firstToken)
        assert.doesNotMatch(standalone.output(), /Test key|curl|pr_(test|live)_/)
        assert.match(
          standalone.output(),
          /Mail is sent from mail@postrider\.localhost, which most servers reject; set POSTRIDER_SENDER\./,
        )
      })

      it('applies limits of the operator and names them in errors', async () => {
        const { client } = await running()
        const tenant = await client.tenant({ rate: 'plan', burst: 'plan' })
        const tooLong = await tenant.send(rawMail({ text: 'A line.\n'.repeat(150_000) }))
        assert.deepEqual([tooLong.status, /over 1 MiB/.test(tooLong.text)], [413, true], tooLong.text)
        const tooLarge = await tenant.send(rawMail({ text: 'x'.repeat(3 * 2 ** 20) }))
        assert.deepEqual([tooLarge.status, /limit of 3 MiB/.test(tooLarge.text)], [413, true], tooLarge.text)
        // A slow machine can need so long for a round that all of it is admitted.
        await until('a send is refused', async () => {
          const responses = await Promise.all(Array.from({ length: 10 }, () => tenant.send(rawMail())))
          return responses.some(({ status }) => status === 429) || undefined
        })
      })

      it('prints no link to log in with a public address', async () => {
        assert.equal(await end('stop'), 0)
        await using own = await ownService({ POSTRIDER_PUBLIC_URL: 'https://mail.example.com' }, { data: data() })
        assert.equal(own.signInUrl, null)
      })

      it('refuses data of a newer version, without a stack trace', async () => {
        await end('stop')
        const file =
          (await readdir(data())).find((name) => /\.(db|sqlite\d?)$/.test(name)) ?? assert.fail('no database')
        const database = new DatabaseSync(join(data(), file))
        const raised = raiseSchema(database)
        database.close()
        assert.ok(raised)
        assert.match(await refusal({}, data()), /newer/i)
      })
    })
  })

  describe('when it ends', () => {
    const { data, receiver, start, running, end } = useDirectory()

    // Regression: the shell between npm and Node did not forward the signal: npm ended, and the service continued to
    // run.
    it('stops the service when npm start receives SIGTERM', async () => {
      const env = { ...process.env, ...compiledIn(root), PORT: '0', POSTRIDER_DATA: data(), LOG_LEVEL: 'info' }
      const npm = spawn('npm', ['start'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
      let output = ''
      npm.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (!output.includes('listening') && (output + text).includes('listening')) npm.kill('SIGTERM')
        output += text
      })
      // The pipe closes when no process has its other end open, so Node has ended too.
      await once(npm, 'close')
      await start()
    })

    for (const how of ['kill9', 'stop'] as const)
      it(`leaves keys, sessions, records and idempotency keys unchanged after ${how}, and sends due mail`, async () => {
        const first = await running()
        const tenant = await first.client.tenant()
        const { cookie, record: session } = tenant.session
        const deferred = fresh('later')
        receiver().refuse(deferred, { code: 451, text: 'Later' })
        const waiting = (await tenant.send(rawMail({ to: [deferred] }))).body
        await tenant.until(waiting.id, (email) => email.status === 'deferred')
        const delivered = (await tenant.send(rawMail(), { 'idempotency-key': 'first' })).body
        await tenant.until(delivered.id, isFinal)
        const soon = fresh('soon')
        const at = new Date(Date.now() + 1_000).toISOString()
        const mail = rawMail({ to: [soon], scheduled_at: at })
        const scheduled = await tenant.send(mail, { 'idempotency-key': 'again' })
        const template = await tenant.template({ text_body: 'x' })
        const code = await end(how)
        if (how === 'stop') assert.equal(code, 0)

        const second = await start()
        const api = second.client.withKey(tenant.api.key)
        await receiver().waitFor(soon)
        const replay = await api.call({ path: '/api/v1/emails', json: mail, headers: { 'idempotency-key': 'again' } })
        assert.deepEqual([replay.status, replay.text], [202, scheduled.text])
        assert.equal(replay.headers['idempotent-replayed'], 'true')
        const read = async (id: string) =>
          (await api.call<{ status: string }>({ path: `/api/v1/emails/${id}` })).body.status
        assert.deepEqual([await read(waiting.id), await read(delivered.id)], ['deferred', 'delivered'])
        assert.equal((await api.call({ path: `/api/v1/templates/${template.id}` })).status, 200)
        const headers = { cookie, 'x-csrf-token': session.csrf_token }
        assert.equal((await second.client.call({ path: '/api/v1/auth/session', headers })).status, 200)
        const usage = await second.client.call<{ monthly: { used: number } }>({
          path: '/api/v1/billing/usage',
          headers,
        })
        assert.equal(usage.body.monthly.used, 3)
        assert.equal(receiver().to(soon).length, 1)
      })

    it('asks a client to close its connection, is not ready, and responds until then', async () => {
      await using own = await ownService({ POSTRIDER_ROUTE: 'mailbox:' })
      await using stack = new AsyncDisposableStack()
      const agent = stack.adopt(new http.Agent({ keepAlive: true, maxSockets: 1 }), (one) => one.destroy())
      const read = async (): Promise<[status: number | undefined, connection: string | undefined]> => {
        const request = http.get(`${own.client.url}/readyz`, { agent })
        const [response] = (await once(request, 'response')) as [http.IncomingMessage]
        await response.toArray()
        return [response.statusCode, response.headers.connection]
      }
      assert.deepEqual(await read(), [200, 'keep-alive'])
      const stopped = own[Symbol.asyncDispose]()
      const last = await until('the gateway drains', async () => {
        const response = await read()
        return response[0] === 200 ? undefined : response
      })
      assert.deepEqual(last, [503, 'close'])
      await stopped
    })

    it('delivers all accepted emails after a stop under load, and refuses only requests after the stop began', async () => {
      const { client } = await running()
      const tenant = await client.tenant()
      const accepted: string[] = []
      const failures: string[] = []
      let stopping = false
      const sender = async () => {
        for (;;) {
          const response = await tenant.send(rawMail()).catch((reason: Error) => reason)
          if (response instanceof Error) return stopping ? undefined : failures.push(response.message)
          if (response.status === 202) accepted.push(response.body.id)
          else if (response.status !== 503 || !stopping) return failures.push(response.text)
        }
      }
      const senders = Array.from({ length: 8 }, sender)
      await until('50 emails are accepted', () => (accepted.length > 50 ? true : undefined))
      stopping = true
      assert.equal(await end('stop'), 0)
      await Promise.all(senders)
      assert.deepEqual(failures, [])
      await using second = await ownService({ POSTRIDER_ROUTE: receiver().route }, { data: data() })
      const api = second.client.withKey(tenant.api.key)
      for (const id of accepted) {
        const check = async () => {
          const { body } = await api.call<{ status: string }>({ path: `/api/v1/emails/${id}` })
          return body.status === 'delivered' ? true : undefined
        }
        await until(`${id} is delivered`, check)
      }
    })
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
