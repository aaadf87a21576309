import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { assertProblem } from '../support/assertProblem.ts'
import { type Client, fresh, password, rawMail } from '../support/client.ts'
import type { HttpResponse } from '../support/http.ts'
import { skip } from '../support/skip.ts'
import { makeDataDirectory } from '../support/standalone.ts'
import { needsOwnProcess, ownSystem, useSystem } from '../support/suite.ts'
import { undisturbed } from '../support/undisturbed.ts'

const html = { accept: 'text/html' }
const urlEncoded = 'application/x-www-form-urlencoded'

/** Posts a form as a browser does that shows a page of `client.url`. */
const post = (client: Client, path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  client.call({
    method: 'POST',
    path,
    body: new URLSearchParams(fields).toString(),
    headers: { ...html, origin: new URL(client.url).origin, 'content-type': urlEncoded, ...headers },
  })

const cookieOf = (headers: { 'set-cookie'?: string[] | undefined }): string =>
  headers['set-cookie']?.[0]?.split(';')[0] ?? ''

describe('page of another site whose name resolves to this machine', () => {
  const system = useSystem()
  before(function () {
    if (process.env['POSTRIDER_E2E_URL'] !== undefined) skip(this, 'the public URL of the service is not known')
  })

  it('cannot sign up, log in, make keys or send', async () => {
    const { client } = system()
    const tenant = await client.tenant()
    for (const host of ['evil.example', 'evil.example:8080', 'localhost.evil.example', '0.0.0.0']) {
      const headers = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }
      const signUp = { email: fresh('owner'), password, workspace_name: 'Evil' }
      const calls = [
        client.call({ path: '/api/v1/auth/signup', json: signUp, headers }),
        client.call({ path: '/api/v1/auth/login', json: { email: tenant.email, password: tenant.password }, headers }),
        tenant.session.call({ path: '/api/v1/api-keys', json: { name: 'Evil' }, headers }),
        tenant.api.call({ path: '/api/v1/emails', json: rawMail(), headers }),
        tenant.api.call({ path: '/api/v1/emails', headers }),
      ]
      for (const response of await Promise.all(calls)) assertProblem(response, 403, 'forbidden')
      assert.notEqual((await client.call({ path: '/mailbox', headers: { ...headers, ...html } })).status, 200)
    }
    assert.equal((await tenant.send(rawMail())).status, 202)
  })
})

describe('login form at /mailbox', () => {
  const system = useSystem()

  it('logs an owner in and out, and refuses a wrong password', async () => {
    const { client } = system()
    const tenant = await client.tenant()
    const form = await client.call({ path: '/mailbox', headers: html })
    assert.equal(form.status, 403)
    assert.match(form.text, /<form method="post" action="\/mailbox\/login">/)
    const wrong = await post(client, '/mailbox/login', { email: tenant.email, password: 'not the password' })
    assert.equal(wrong.status, 401)
    assert.match(wrong.text, /role="alert"[^>]*>The email address or the password is wrong\./)

    const inside = await post(client, '/mailbox/login', { email: tenant.email, password: tenant.password })
    assert.deepEqual([inside.status, inside.headers.location], [303, '/mailbox'])
    const cookie = cookieOf(inside.headers)
    const mailbox = await client.call({ path: '/mailbox', headers: { ...html, cookie } })
    assert.equal(mailbox.status, 200)
    assert.match(mailbox.text, new RegExp(`Logged in as ${tenant.email}`))

    const [, token = ''] = /name="csrf_token" value="([^"]+)"/.exec(mailbox.text) ?? []
    assert.equal((await post(client, '/mailbox/logout', { csrf_token: 'x' }, { cookie })).status, 403)
    const foreign = { cookie, origin: 'https://evil.example' }
    assert.equal((await post(client, '/mailbox/logout', { csrf_token: token }, foreign)).status, 403)
    const outside = await post(client, '/mailbox/logout', { csrf_token: token }, { cookie })
    assert.deepEqual([outside.status, outside.headers.location], [303, '/mailbox'])
    assert.equal((await client.call({ path: '/mailbox', headers: { ...html, cookie } })).status, 403)
    assertProblem(await client.call({ path: '/api/v1/auth/session', headers: { cookie } }), 401, 'unauthenticated')
  })

  it('limits the logins to an account as the API does', async () => {
    const { client } = system()
    /** Tries to log in to one account with the form until it refuses, and then with the API until that does. */
    const attempts = async () => {
      const fields = { email: fresh('stranger'), password: 'not the password' }
      const startedAt = performance.now()
      const statuses: number[] = []
      const untilLimited = async <T>(logIn: () => Promise<HttpResponse<T>>): Promise<HttpResponse<T>> => {
        for (let tries = 0; tries < 30; tries++) {
          const response = await logIn()
          statuses.push(response.status)
          if (response.status === 429) return response
        }
        return assert.fail(`none was limited: ${statuses.join()}`)
      }
      await untilLimited(() => post(client, '/mailbox/login', fields))
      const limited = await untilLimited(() => client.call({ path: '/api/v1/auth/login', json: fields }))
      return { statuses, limited, seconds: (performance.now() - startedAt) / 1_000 }
    }
    const { statuses, limited, seconds } = await undisturbed(system(), attempts)
    assert.equal(statuses[0], 401)
    // Five are admitted at the same time, and one more every 12 s, by both together.
    const admitted = statuses.filter((status) => status !== 429).length
    assert.ok(admitted <= 5 + seconds / 12, `${admitted} were admitted in ${seconds} s`)
    assertProblem(limited, 429, 'rate_limited')
  })
})

describe('standalone process', () => {
  needsOwnProcess()

  const reaches = (host: string, port: number): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, host)
      const end = (reached: boolean) => {
        socket.destroy()
        resolve(reached)
      }
      socket.once('connect', () => end(true)).once('error', () => end(false))
    })

  const outside = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

  for (const [host, isReached, printed] of [
    ['', false, /Access +only this machine can reach the port/],
    ['0.0.0.0', true, /Access +every machine that can reach this one can reach the port/],
  ] as const)
    describe(`with POSTRIDER_HOST='${host}'`, () => {
      let own: Awaited<ReturnType<typeof ownSystem>>
      before(async () => {
        const data = await makeDataDirectory()
        await chmod(data, 0o755)
        await writeFile(join(data, 'postrider.pid'), '1\n', { mode: 0o644 })
        await mkdir(join(data, 'other'), { mode: 0o755 })
        own = await ownSystem({ POSTRIDER_HOST: host, METRICS_PORT: '0', POSTRIDER_ROUTE: 'mailbox:' }, data)
      })
      after(() => own?.[Symbol.asyncDispose]())

      it(`is ${isReached ? '' : 'not '}reached from other machines, on no port`, async function () {
        if (outside === undefined) skip(this, 'this machine has only loopback addresses')
        const metrics = String(own.standalone.logs().find((one) => 'metrics_url' in one)?.['metrics_url'])
        for (const url of [own.standalone.url, metrics]) {
          const port = Number(new URL(url).port)
          assert.equal(await reaches('127.0.0.1', port), true)
          assert.equal(await reaches(String(outside), port), isReached, url)
        }
        assert.match(own.standalone.output(), printed)
      })

      it('serves metrics only on METRICS_PORT if it is set', async () => {
        const shown = own.standalone.output().match(/^ +Metrics +(\S+)$/m)?.[1]
        const line = own.standalone.logs().find((one) => 'metrics_url' in one) ?? assert.fail()
        assert.equal(line['metrics_url'], shown)
        const response = await fetch(String(shown))
        assert.equal(response.status, 200)
        assert.match(await response.text(), /^# TYPE /m)
        assert.notEqual((await own.client.call({ path: '/metrics' })).status, 200)
      })

      // Regression: the files of a directory that exists with another mode were readable by every user of the machine.
      it('keeps its files private in a directory that others can read, even files of an earlier version', async () => {
        const { data } = own.standalone
        const modes: Record<string, number> = {}
        for (const name of await readdir(data)) modes[name] = (await stat(join(data, name))).mode & 0o777
        const { other, ...files } = modes
        assert.equal(other, 0o755)
        for (const name of [
          'postrider.db',
          'postrider.db-wal',
          'postrider.db-shm',
          'postrider.lock',
          'postrider.pid',
          'secret',
        ])
          assert.ok(name in files, name)
        for (const [name, mode] of Object.entries(files)) assert.equal(mode, 0o600, name)
      })
    })
})
