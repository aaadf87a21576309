import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import net from 'node:net'
import { assertProblem } from '../support/assertProblem.ts'
import { fresh, rawMail, type Tenant } from '../support/client.ts'
import { needsOwnProcess, useSystem } from '../support/suite.ts'
import { hangMs, until } from '../support/until.ts'

type Exchange = { received: string; closed: boolean; afterMs: number }

/** Sends bytes on a new connection and returns what is received until it is closed, or within `waitMs`. */
const exchange = (url: string, bytes: string | Buffer, waitMs = hangMs): Promise<Exchange> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const startedAt = performance.now()
    const chunks: Buffer[] = []
    const socket = net.connect({ host: hostname, port: Number(port) }, () => socket.write(bytes))
    const end = (closed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ received: Buffer.concat(chunks).toString('latin1'), closed, afterMs: performance.now() - startedAt })
    }
    const timer = setTimeout(() => end(false), waitMs)
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.once('error', () => end(true))
    socket.once('close', () => end(true))
  })

/** Sends chunks until the server closes the connection. Returns its response and the number of bytes sent. */
const sendEndlessly = (url: string, head: string): Promise<{ received: string; bytes: number }> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`)
    let received = ''
    const socket = net.connect({ host: hostname, port: Number(port) }, () => {
      socket.write(head)
      more()
    })
    const more = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', more)
    socket.on('data', (data: Buffer) => {
      received += data.toString('latin1')
    })
    socket.on('error', () => socket.destroy())
    socket.once('close', () => resolve({ received, bytes: socket.bytesWritten }))
  })

const residentMiB = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024
}

describe('attacks on HTTP', () => {
  const system = useSystem()
  needsOwnProcess()
  let tenant: Tenant
  /** Incomplete requests. They are sent first, and the last test checks that the server closed them. */
  let incomplete: Promise<{ headers: Exchange[]; bodies: Exchange[] }>
  /** The status of a send while all incomplete requests are open. */
  let served: Promise<number | 'late'>
  /** The slowest response to a probe while incomplete requests are open: how late a busy machine makes the server. */
  let slowestMs = 0

  before(async () => {
    tenant = await system().client.tenant()
    const authorization = `Authorization: Bearer ${tenant.api.key}`
    const headers = 'GET /api/v1/emails HTTP/1.1\r\nHost: localhost\r\nX-Slow: a'
    const body = `POST /api/v1/emails HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`
    const { url } = system().client
    const many = (bytes: string) => Promise.all(Array.from({ length: 250 }, () => exchange(url, bytes, hangMs)))
    incomplete = Promise.all([many(headers), many(body)]).then(([headers, bodies]) => ({ headers, bodies }))
    let isOver = false
    void incomplete.finally(() => {
      isOver = true
    })
    const probe = async (): Promise<true | undefined> => {
      const { elapsedMs } = await system().client.call({ path: '/livez' })
      slowestMs = Math.max(slowestMs, elapsedMs)
      return isOver || undefined
    }
    // A probe that fails measures nothing.
    until('the incomplete requests are closed', probe, hangMs, 250).catch(() => undefined)
    served = Promise.race([tenant.send(rawMail()).then(({ status }) => status), incomplete.then(() => 'late' as const)])
  })

  const head = (...lines: string[]): string =>
    [
      'POST /api/v1/emails HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${tenant.api.key}`,
      'Content-Type: application/json',
      ...lines,
      '',
      '',
    ].join('\r\n')

  const assertBadRequest = async (bytes: string): Promise<void> => {
    const { received, closed } = await exchange(system().client.url, bytes)
    assert.match(received, /^HTTP\/1\.1 400 /)
    assert.equal(received.match(/^HTTP\/1\.1 /gm)?.length, 1, received)
    assert.ok(closed, 'the connection is open')
  }

  const json = JSON.stringify(rawMail())

  const smuggled: Record<string, () => string> = {
    'Content-Length and Transfer-Encoding': () =>
      `${head(`Content-Length: ${json.length}`, 'Transfer-Encoding: chunked')}0\r\n\r\nGET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    'Transfer-Encoding: xchunked': () => `${head('Transfer-Encoding: xchunked')}0\r\n\r\n`,
    'two lengths': () => `${head('Content-Length: 5', `Content-Length: ${json.length}`)}${json}`,
    'a folded header': () => `${head(`Content-Length: ${json.length}`, 'X-A: b\r\n c: d')}${json}`,
    'a space before the colon': () => `${head('Content-Length : 5')}${json}`,
    'a bare line feed in a header': () => `${head(`Content-Length: ${json.length}`, 'X-A: b\nX-B: c')}${json}`,
    'NUL in a header': () => `${head('X-A: b\0c', 'Content-Length: 0')}`,
    'no Host': () => 'GET /livez HTTP/1.1\r\n\r\n',
    'two Hosts': () => `${head('Host: evil.example', `Content-Length: ${json.length}`)}${json}`,
    'the same Host twice': () => `${head('Host: localhost', `Content-Length: ${json.length}`)}${json}`,
    'a Host with a user': () => 'GET /livez HTTP/1.1\r\nHost: a@localhost\r\n\r\n',
    'a URL whose host is not the Host': () => 'GET http://evil.example/livez HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'a hexadecimal length': () => `${head('Content-Length: 0x10')}${json}`,
    'an invalid chunk size': () => `${head('Transfer-Encoding: chunked')}zz\r\nabc\r\n0\r\n\r\n`,
  }
  for (const [name, bytes] of Object.entries(smuggled))
    it(`44: refuses ${name} with 400 and closes the connection`, () => assertBadRequest(bytes()))

  it('42: refuses a body one byte over the limit and closes the connection', async () => {
    const limit = 15 * 1024 * 1024
    const mail = JSON.stringify(rawMail({ text: '' }))
    const exact = mail.replace('"text":""', `"text":"${'x'.repeat(limit - mail.length)}"`)
    assert.equal(exact.length, limit)
    const atLimit = await tenant.api.call({ path: '/api/v1/emails', body: exact })
    assertProblem(atLimit, 422, 'validation_failed', [{ path: 'text' }])
    const over = await tenant.api.call({ path: '/api/v1/emails', body: `${exact} ` })
    assertProblem(over, 413, 'too_large')
    assert.equal(over.headers['connection'], 'close')
  })

  it('42: closes a connection that sends endless chunks, without use of memory', async () => {
    const { standalone } = system()
    const resident = async () => (standalone === null ? 0 : residentMiB(standalone.pid))
    const before = await resident()
    const { received, bytes } = await sendEndlessly(system().client.url, head('Transfer-Encoding: chunked'))
    assert.match(received, /^$|^HTTP\/1\.1 413 /)
    assert.ok(bytes < 100 * 2 ** 20, `${bytes} bytes were accepted`)
    const grownMiB = (await resident()) - before
    assert.ok(grownMiB < 80, `memory grew by ${grownMiB} MiB`)
  })

  it('42: limits the body of a login to a smaller size', async () => {
    const json = { email: fresh(), password: 'x'.repeat(1024 * 1024), workspace_name: 'x' }
    assertProblem(await system().client.call({ path: '/api/v1/auth/login', json }), 413, 'too_large')
  })

  it('42: refuses the bytes after a body that is longer than its Content-Length', async () => {
    const tooShort = await exchange(system().client.url, `${head(`Content-Length: ${json.length - 5}`)}${json}`)
    assert.match(tooShort.received, /^HTTP\/1\.1 400 /)
    assert.doesNotMatch(tooShort.received, /HTTP\/1\.1 2\d\d/)
  })

  it('46: responses do not contain a forged Host or forwarded headers', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' }
    const sent = await tenant.api.call({ path: '/api/v1/emails', json: rawMail(), headers })
    assertProblem(sent, 403, 'forbidden')
    const missing = await tenant.api.call({ path: '/api/v1/nothing', headers })
    for (const response of [sent, missing]) {
      assert.ok(!JSON.stringify(response.headers).includes('evil') && !response.text.includes('evil'))
      assert.ok(!response.text.includes('gopher'))
    }
    const malformed = await exchange(
      system().client.url,
      'GET /livez HTTP/1.1\r\nHost: evil@x\r\nConnection: close\r\n\r\n',
    )
    assert.match(malformed.received, /^HTTP\/1\.1 (200|400) /)
    assert.doesNotMatch(malformed.received, /evil/)
  })

  it('47: does not redirect to other sites', async () => {
    for (const next of ['//evil.example', '/\\evil.example', 'https:evil.example'])
      for (const path of ['/', '/mailbox', '/api/v1/auth/session', '/login']) {
        const { status, headers } = await system().client.call({
          path: `${path}?next=${encodeURIComponent(next)}`,
          headers: { referer: 'https://evil.example/' },
        })
        assert.ok(
          status < 300 || status >= 400 || !String(headers['location']).includes('evil'),
          `${path} ${status} ${headers['location']}`,
        )
      }
  })

  it('49: refuses two idempotency keys, and a key on several lines', async () => {
    const two = await exchange(
      system().client.url,
      `${head('Idempotency-Key: a', 'Idempotency-Key: b', `Content-Length: ${json.length}`, 'Connection: close')}${json}`,
    )
    assert.match(two.received, /^HTTP\/1\.1 400 /)
    assert.match(two.received, /invalid_idempotency_key/)
    await assertBadRequest(`${head('Idempotency-Key: a\r\n b', `Content-Length: ${json.length}`)}${json}`)
  })

  it('51: logs input of clients escaped, shortened, and without secrets or addresses', async () => {
    const canary = fresh('logcanary')
    const subject = `subjectcanary ${canary}`
    const agent = `${'\u001b[31m'}{"level":"fatal"}${'A'.repeat(8_000)}`
    const headers = { 'user-agent': agent.replace('\u001b', ''), 'x-request-id': 'a","level":"fatal' }
    await tenant.api.call({ path: '/api/v1/emails?x=%0a%7b%22level%22%3a%22forged%22%7d', headers })
    await system().client.call({ path: `/api/v1/emails?api_key=${tenant.api.key}` })
    const sent = await tenant.send(rawMail({ to: [canary], subject, text: 'bodycanary' }), {
      'user-agent': agent.slice(5, 400),
    })
    await tenant.until(sent.body.id, (email) => email.status === 'delivered')
    await tenant.send(rawMail({ to: [`${canary}, second@x.example`], subject: 'subjectcanary\r\n' }))
    await system().client.call({ path: '/api/v1/auth/login', json: { email: canary, password: 'passwordcanary1' } })
    const { standalone } = system()
    if (standalone === null) return
    await until('the email is logged', () => (standalone.output().includes(sent.body.id) ? true : undefined))
    const output = standalone.output()
    for (const secret of [
      canary,
      tenant.api.key,
      'subjectcanary',
      'bodycanary',
      'passwordcanary',
      tenant.session.cookie.split('=')[1] ?? '-',
      tenant.email,
    ])
      assert.ok(!output.includes(secret), `the log contains ${secret}`)
    for (const line of standalone.logs()) {
      assert.ok(!['forged', 'fatal'].includes(String(line['level'])))
      assert.ok(JSON.stringify(line).length < 10_000, 'a line has 10,000 or more characters')
    }
  })

  it('45: closes incomplete headers within 15 s and bodies within 30 s, and serves other requests until then', async () => {
    assert.equal(await served, 202)
    const { headers, bodies } = await incomplete
    for (const { closed, afterMs } of [...headers, ...bodies]) assert.ok(closed, `open after ${afterMs} ms`)
    const times = (exchanges: readonly Exchange[]) => exchanges.map(({ afterMs }) => afterMs)
    const [lastHeaders, firstBodies] = [Math.max(...times(headers)), Math.min(...times(bodies))]
    // The server checks deadlines every 2 s. The delays of bodies and probes show how late it and this process are.
    assert.ok(firstBodies >= 30_000 - 100, `bodies: ${firstBodies} ms`)
    const lateMs = Math.max(...times(bodies)) - 30_000 + slowestMs
    assert.ok(lastHeaders <= 17_500 + lateMs, `headers: ${lastHeaders} ms, late by ${lateMs} ms`)
  })
})
