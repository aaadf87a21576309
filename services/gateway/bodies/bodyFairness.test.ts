import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { closed } from '../../../test/support/closed.ts'
import { manualTime } from '../../../test/support/manualTime.ts'
import { until } from '../../../test/support/until.ts'
import { defaultGatewayLimits, type GatewayLimits } from '../config.ts'
import { aCaller, aKey, type Fakes, type TestGateway, testGateway } from '../testGateway.ts'
import { shortChunks } from './shortChunks.ts'

const kibibyte = 1_024

/**
 * A gateway whose client address decides about the workspace. Bodies with the text `wait` are processed until the test
 * ends.
 */
const open = async (limits: Partial<GatewayLimits> = {}, fakes: Fakes = {}) => {
  const time = manualTime()
  let [moved, waiting] = [0, 0]
  const finished = Promise.withResolvers<void>()
  const accepted = { id: 'em_1', status: 202, bodyJson: '{"object":"email","id":"em_1"}', replayed: false, quota: null }
  const longBodies = { ...defaultGatewayLimits.longBodies, waitMs: 30_000 }
  const gateway = await testGateway({
    intake: {
      Submit: async ({ mail }) => {
        if (mail.text === 'wait') {
          waiting += 1
          await finished.promise
        }
        return accepted
      },
    },
    accounts: {
      AuthenticateKey: async ({ client_address }) => aCaller({ workspace: `ws_${client_address}` }),
      LogIn: async () => {
        throw new TypeError('a login has arrived')
      },
    },
    elapsed: () => time.elapsed() + moved,
    after: time.after,
    config: { limits: { ...defaultGatewayLimits, longBodies, ...limits }, trustedProxies: ['127.0.0.1'] },
    ...fakes,
  })
  const send = async (from: string, bytes = 100, text = 't', headers: Record<string, string> = {}) =>
    (await call(gateway, { path: emails, from, body: mailOf(bytes, text), headers })).status
  /** Sends mail, all of which is accepted, until something has happened: what clients sent may be read later. */
  const sendsUntil = (what: string, from: string, bytes: number, happened: () => boolean) =>
    until(what, async () => {
      assert.equal(await send(from, bytes), 202)
      return happened() || undefined
    })
  return {
    gateway,
    time,
    sendsUntil,
    ended: (bytes: number) => sendsUntil('the body is ended', third, bytes, () => time.pending() > 0),
    passes: (ms: number) => {
      moved += ms
    },
    send,
    logIn: async (from: string) => (await call(gateway, { path: logInPath, from, body: logInBody })).status,
    finish: finished.resolve,
    processes: (count: number) => until(`${count} are processed`, () => waiting >= count || undefined),
    [Symbol.asyncDispose]: async () => {
      finished.resolve()
      await gateway[Symbol.asyncDispose]()
    },
  }
}

const [emails, batches, logInPath] = ['/api/v1/emails', '/api/v1/emails/batch', '/api/v1/auth/login']
const mailOf = (bytes: number, text = 't'): string =>
  JSON.stringify({ to: ['a@example.com'], subject: 's', text }).padEnd(bytes, ' ')
const logInBody = JSON.stringify({ email: 'a@example.com', password: 'p'.repeat(20) })

type Posted = { path: string; from: string; body: string; headers?: Record<string, string> }

const headersFrom = (from: string) => ({
  'content-type': 'application/json',
  authorization: `Bearer ${aKey()}`,
  'x-forwarded-for': from,
})

const call = (gateway: TestGateway, { path, from, body, headers }: Posted) =>
  gateway.call({ method: 'POST', path, headers: { ...headersFrom(from), ...headers }, body })

type UnfinishedBody = {
  path?: string
  from: string
  announced?: number
  sent: number
  headers?: Record<string, string>
  /** A body of a request that is sent before. */
  before?: string
}

/** A client that announces a body and sends a part of it. */
const sendPart = (
  { port }: TestGateway,
  { path = emails, from, announced, sent, headers = {}, before }: UnfinishedBody,
) => {
  const socket = connect({ port, host: '127.0.0.1' })
  const state = { response: '' }
  socket.on('error', () => {}).setEncoding('latin1')
  socket.on('data', (text) => {
    state.response += text
  })
  const headOf = (framing: Record<string, string | number>): string => {
    const lines = Object.entries({ Host: 'x', ...headersFrom(from), ...framing, ...headers })
    return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  }
  if (before !== undefined) socket.write(headOf({ 'Content-Length': before.length }) + before)
  socket.write(headOf(announced === undefined ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': announced }))
  const part = `{"messages":[{"text":"${'x'.repeat(sent - 22)}`
  socket.write(announced === undefined ? `${part.length.toString(16)}\r\n${part}\r\n` : part)
  return Object.assign(state, { socket, ended: closed(socket) })
}

/** Several such clients of each address, whose parts have been read. */
const sendParts = async (
  gateway: TestGateway,
  from: readonly string[],
  count: number,
  body: Omit<UnfinishedBody, 'from'>,
) => {
  const clients = from.flatMap((address) =>
    Array.from({ length: count }, () => sendPart(gateway, { ...body, from: address })),
  )
  await until('all parts are sent', () => clients.every(({ socket }) => isSent(socket)) || undefined)
  return clients
}

const isSent = (socket: Socket): boolean => !socket.connecting && socket.writableLength === 0

const isAnswered = (client: { response: string }, status: number) =>
  until(`the response ${status}`, () => client.response.includes(`HTTP/1.1 ${status} `) || undefined)

const [first, second, third] = ['10.0.0.1', '10.0.0.2', '10.0.0.3'] as const

// Two workspaces, or five addresses without a key, took all memory for bodies with a few KB each.
describe('bodies that clients do not complete', () => {
  it('count as they arrive, so those who announce much do not refuse the long mail of others', async () => {
    await using system = await open()
    await sendParts(system.gateway, [first, second], 3, { announced: 15 * 2 ** 20, sent: 350_000 })
    for (const bytes of [1_000, 300_000, 10 * 2 ** 20]) assert.equal(await system.send(third, bytes), 202)
  })

  for (const framing of ['with their length', 'in chunks'] as const)
    for (const isShort of [true, false])
      it(`end for a workspace that has less: ${isShort ? 'short' : 'long'} ones, ${framing}`, async () => {
        const [bytes, sent] = isShort ? [200 * kibibyte, 40 * kibibyte] : [3 * 2 ** 20, 700 * kibibyte]
        await using system = await open(
          isShort
            ? { shortBodies: { bytes, bytesOfOne: (bytes * 5) / 8 } }
            : { longBodies: { bytes, bytesOfOne: (bytes * 5) / 8, waitMs: 1_000 } },
        )
        const announced = framing === 'in chunks' ? {} : { announced: isShort ? 60 * kibibyte : 2 ** 20 }
        const clients = await sendParts(system.gateway, [first, second], 5, { sent, ...announced })
        for (let round = 0; round < 5; round++)
          assert.equal(await system.send(third, isShort ? 50 * kibibyte : 800 * kibibyte), 202)
        for (const { socket } of clients) socket.destroy()
      })

  it('end for one of many workspaces that have little each', async () => {
    await using system = await open({ shortBodies: { bytes: 200 * kibibyte, bytesOfOne: 125 * kibibyte } })
    const addresses = Array.from({ length: 60 }, (_, number) => `10.0.1.${number}`)
    await sendParts(system.gateway, addresses, 1, { announced: 60 * kibibyte, sent: 5 * kibibyte })
    for (let round = 0; round < 5; round++) assert.equal(await system.send(third, 3_000), 202)
  })

  it('end for a login from another address', async () => {
    await using system = await open({ openBodies: { bytes: 64 * kibibyte, bytesOfOne: 16 * kibibyte } })
    const addresses = [1, 2, 3, 4, 5].map((number) => `10.0.2.${number}`)
    await sendParts(system.gateway, addresses, 5, { path: logInPath, announced: 16_000, sent: 12_000 })
    // The services of this test fail; the login has arrived.
    for (let round = 0; round < 5; round++) assert.equal(await system.logIn(third), 500)
  })

  it('count for one client if they come from one IPv6 network', async () => {
    await using system = await open({ openBodies: { bytes: 64 * kibibyte, bytesOfOne: 16 * kibibyte } })
    const addresses = Array.from({ length: 10 }, (_, number) => `2001:db8::${number + 1}`)
    const clients = await sendParts(system.gateway, addresses, 1, { path: logInPath, announced: 16_000, sent: 12_000 })
    assert.equal(await system.logIn('2001:db8:0:1::1'), 500)
    for (const { response } of clients) assert.equal(response, '')
  })

  it('get a 503 with the time to wait, and their connection is closed', async () => {
    await using system = await open({ shortBodies: { bytes: 100 * kibibyte, bytesOfOne: 90 * kibibyte } })
    const [client] = await sendParts(system.gateway, [first], 1, { announced: 60 * kibibyte, sent: 59 * kibibyte })
    assert.ok(client)
    await system.ended(50 * kibibyte)
    system.time.fireNext()
    await client.ended
    assert.match(client.response, /^HTTP\/1\.1 503 .*Retry-After: 1\r\n/is)
    assert.match(client.response, /^Connection: close\r$/im)
  })

  it('get a 503 on a connection that stays open if their remaining bytes arrive soon', async () => {
    await using system = await open({ shortBodies: { bytes: 100 * kibibyte, bytesOfOne: 90 * kibibyte } })
    const [client] = await sendParts(system.gateway, [first], 1, { announced: 60 * kibibyte, sent: 59 * kibibyte })
    assert.ok(client)
    await system.ended(50 * kibibyte)
    client.socket.write(' '.repeat(kibibyte))
    await isAnswered(client, 503)
    client.socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    await isAnswered(client, 200)
    client.socket.destroy()
  })

  it('do not end requests that have arrived completely', async () => {
    const limits = { shortBodies: { bytes: 100 * kibibyte, bytesOfOne: 60 * kibibyte } }
    await using system = await open({ ...limits, longBodies: { ...defaultGatewayLimits.longBodies, waitMs: 50 } })
    const complete = [system.send(first, 50 * kibibyte, 'wait'), system.send(second, 50 * kibibyte, 'wait')]
    await system.processes(2)
    assert.equal(await system.send(third, 40 * kibibyte), 503)
    system.finish()
    assert.deepEqual(await Promise.all(complete), [202, 202])
  })

  it('do not end the request before them on their connection', async () => {
    await using system = await open({ shortBodies: { bytes: 100 * kibibyte, bytesOfOne: 90 * kibibyte } })
    const pipelined = { announced: 60 * kibibyte, sent: 59 * kibibyte, before: mailOf(100, 'wait') }
    const [client] = await sendParts(system.gateway, [first], 1, pipelined)
    await system.processes(1)
    await system.ended(50 * kibibyte)
    system.time.fireNext()
    system.finish()
    await client?.ended
    assert.deepEqual(client?.response.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 202', 'HTTP/1.1 503'])
  })

  it('end in a batch too', async () => {
    const longBodies = { bytes: 3 * 2 ** 20, bytesOfOne: 2 * 2 ** 20, waitMs: 30_000 }
    await using system = await open({ longBodies })
    const body = { path: batches, announced: 40 * 2 ** 20, sent: 1.9 * 2 ** 20 }
    const [client] = await sendParts(system.gateway, [first], 1, body)
    await system.sendsUntil('it is ended', third, 1.4 * 2 ** 20, () => client?.response !== '')
    await client?.ended
    assert.match(client?.response ?? '', /^HTTP\/1\.1 503 /)
  })

  it('use no memory before 100 Continue requests them', async () => {
    await using system = await open({ shortBodies: { bytes: 64 * kibibyte, bytesOfOne: 64 * kibibyte } })
    const headers = { Expect: '100-continue' }
    const clients = await sendParts(system.gateway, [first], 20, { announced: 60 * kibibyte, sent: 22, headers })
    await Promise.all(clients.map((client) => isAnswered(client, 100)))
    assert.equal(await system.send(third, 60 * kibibyte), 202)
  })
})

// Bodies of 16 workspaces filled the memory with their first parts, so that all waited, and all got a 503, also those
// of others.
describe('bodies that need more memory than there is', () => {
  const longBodies = { bytes: 3.2 * 2 ** 20, bytesOfOne: 2 * 2 ** 20, waitMs: 30_000 }
  const attackers = Array.from({ length: 16 }, (_, number) => `10.0.4.${number}`)

  it('are completed one after the other, also one of a workspace that sends no other', async () => {
    await using system = await open({ longBodies })
    const floods = attackers.flatMap((from) => Array.from({ length: 6 }, () => system.send(from, 460 * kibibyte)))
    const good = [200, 200, 200].map((size) => size * kibibyte)
    for (const bytes of good) assert.equal(await system.send(third, bytes), 202)
    const statuses = await Promise.all(floods)
    const accepted = statuses.filter((status) => status === 202).length
    // Some are ended for the good one.
    assert.ok(accepted >= floods.length / 2, `${accepted} of ${statuses.length} were accepted`)
  })

  it('are not read before there is room for all of them', async () => {
    await using system = await open({ longBodies })
    await sendParts(system.gateway, [first, second], 1, { announced: 1.5 * 2 ** 20, sent: 100 * kibibyte })
    const waiting = attackers.map((from) =>
      sendPart(system.gateway, { from, announced: 2 ** 20, sent: 900 * kibibyte }),
    )
    assert.equal(await system.send(third, 150 * kibibyte), 202)
    for (const { socket } of waiting) socket.destroy()
  })

  it('end when they stop although others wait', async () => {
    await using system = await open({ longBodies })
    const [client] = await sendParts(system.gateway, [first], 1, { announced: 3 * 2 ** 20, sent: 2_000 * kibibyte })
    assert.ok(client)
    assert.equal(await system.send(second, 20 * kibibyte), 202)
    const other = system.send(third, 3 * 2 ** 20)
    // The last bytes of the body may be read after others.
    await until('it is ended', () => {
      system.passes(1_500)
      return client.response !== '' || undefined
    })
    assert.equal(await other, 202)
    await client.ended
    assert.match(client.response, /^HTTP\/1\.1 408 .*too slowly/s)
  })
})

// Each took the room of the longest one until its response, so a workspace had two at the same time.
describe('long bodies in chunks', () => {
  it('keep the room that they need when they are complete', async () => {
    await using system = await open()
    const sent: Promise<number>[] = []
    for (let number = 1; number <= 12; number++) {
      sent.push(system.send(first, 1.5 * 2 ** 20, 'wait', { 'transfer-encoding': 'chunked' }))
      await system.processes(number)
    }
    system.finish()
    assert.deepEqual(await Promise.all(sent), Array<number>(12).fill(202))
  })

  it('are all read while none is complete', async () => {
    await using system = await open()
    const clients = await sendParts(system.gateway, [first], 12, { sent: 100 * kibibyte })
    const last = clients.at(-1) ?? assert.fail()
    last.socket.write('4\r\n"}]}\r\n0\r\n\r\n')
    await isAnswered(last, 422)
    for (const { socket } of clients) socket.destroy()
  })
})

// One connection ended the process: its response waited behind another, and a header was set again after that.
describe('bodies that are far too long', () => {
  const tooLong = 33 * 2 ** 20
  for (const [how, goesOn] of [
    ['disconnect', ({ socket }) => socket.destroy()],
    ['send more', ({ socket }) => socket.write('x'.repeat(kibibyte)) && socket.destroySoon()],
    ['end', ({ socket }) => socket.end(' '.repeat(tooLong - 100))],
  ] as const satisfies [string, (client: ReturnType<typeof sendPart>) => void][])
    it(`leave the process alone when their response waits and they ${how}`, async () => {
      await using system = await open()
      const client = sendPart(system.gateway, {
        path: emails,
        from: first,
        announced: 15 * 2 ** 20 + tooLong,
        sent: 100,
        before: mailOf(100, 'wait'),
      })
      await system.processes(1)
      assert.equal(await system.send(second), 202)
      goesOn(client)
      assert.equal(await system.send(second), 202)
      system.finish()
      await client.ended
      assert.equal(await system.send(second), 202)
    })
})

// One connection that sent each byte as a chunk slowed other requests 30 times, and 64 used 450 MB of heap.
describe('bodies in short chunks', () => {
  const chunks = (count: number): string => '1\r\nx\r\n'.repeat(count)
  for (const [path, sent] of [
    [emails, 100_000],
    [batches, 100],
  ] as const)
    it(`end their connection when they are too many: ${path}`, async () => {
      await using system = await open()
      const client = sendPart(system.gateway, { path, from: first, sent })
      client.socket.write(chunks(25_000))
      await client.ended
      assert.match(client.response, /^HTTP\/1\.1 400 .*too many short chunks/s)
      assert.match(client.response, /^Connection: close\r$/im)
    })

  // Each connection was parsed for up to 30 s after its response, however many chunks followed.
  for (const [what, headers] of [
    ['without a key', { authorization: 'none' }],
    ['of the wrong type', { 'content-type': 'text/plain' }],
  ] as const)
    it(`end their connection when too many follow a response: ${what}`, async () => {
      await using system = await open()
      const client = sendPart(system.gateway, { from: first, sent: 100, headers })
      await until('the response', () => client.response !== '' || undefined)
      client.socket.write(chunks(25_000))
      await client.ended
      assert.match(client.response, /^HTTP\/1\.1 4(01|15) /)
    })

  // 16 connections that sent them and connected again slowed all other requests to seconds.
  it('are refused when a client address sent many, and its next connections are read in turn', async () => {
    const turns: (() => void)[] = []
    const counted = shortChunks({ elapsed: () => 0, after: (_, fire) => turns.push(fire) })
    await using system = await open({}, { chunks: counted, config: { trustedProxies: [] } })
    const responses: string[] = []
    for (let number = 0; number < 5; number++) {
      const client = sendPart(system.gateway, { from: first, sent: 100 })
      client.socket.write(`${chunks(16_000)}4\r\n"}]}\r\n0\r\n\r\n`)
      if (number > 0) {
        await until('it waits', () => turns.length > 0 || undefined)
        assert.equal(client.response, '')
        turns.shift()?.()
      }
      await until('the response', () => client.response !== '' || undefined)
      responses.push(client.response.slice(9, 12))
      client.socket.destroy()
    }
    assert.deepEqual(responses, ['422', '422', '422', '422', '429'])
  })

  it('are read when they are thousands', async () => {
    await using system = await open()
    const client = sendPart(system.gateway, { from: first, sent: 100 })
    client.socket.write(`${chunks(16_000)}4\r\n"}]}\r\n0\r\n\r\n`)
    await until('it is read to its end', () => client.response.includes('HTTP/1.1 422') || undefined)
    client.socket.destroy()
  })
})

describe('slow bodies', () => {
  const limits = { shortBodies: { bytes: 100 * kibibyte, bytesOfOne: 100 * kibibyte } }

  it('get a 408 when others wait for memory, also those of the same workspace', async () => {
    await using system = await open(limits)
    const body = { announced: 60 * kibibyte, sent: 59 * kibibyte, before: mailOf(100) }
    const [client] = await sendParts(system.gateway, [first], 1, body)
    assert.ok(client)
    // What follows on a connection has begun when the request before it has its response, and is read before a later
    // request.
    await isAnswered(client, 202)
    assert.equal(await system.send(third), 202)
    system.passes(6_000)
    assert.equal(await system.send(first, 50 * kibibyte), 202)
    await client.ended
    assert.match(client.response, /HTTP\/1\.1 408 .*16 KiB per second.*request_timeout/s)
  })

  it('may take their time while no one waits', async () => {
    await using system = await open(limits)
    const [client] = await sendParts(system.gateway, [first], 1, { announced: 30 * kibibyte, sent: 20 * kibibyte })
    system.passes(20_000)
    assert.equal(await system.send(second, 50 * kibibyte), 202)
    client?.socket.write(`"}]}`.padEnd(10 * kibibyte))
    await until('it is read to its end', () => client?.response.includes('HTTP/1.1 422') || undefined)
    client?.socket.destroy()
  })

  // A workspace could end the slow bodies of all others, and long ones, while almost all memory was free.
  it('are not ended for a workspace that announces more than it may have', async () => {
    const longBodies = { bytes: 16 * 2 ** 20, bytesOfOne: 10 * 2 ** 20, waitMs: 30_000 }
    await using system = await open({ longBodies })
    const announced = 4 * 2 ** 20
    const [slow] = await sendParts(system.gateway, [first], 1, { announced, sent: 80 * kibibyte })
    await sendParts(system.gateway, [second], 2, { announced, sent: 80 * kibibyte })
    assert.equal(await system.send(third, 80 * kibibyte), 202)
    system.passes(6_000)
    assert.equal(await system.send(second, announced), 202)
    assert.equal(slow?.response, '')
  })

  it('get a 408 after 5 s without a key', async () => {
    await using system = await open()
    const body = { path: logInPath, announced: 16_000, sent: 1_000 }
    const [client] = await sendParts(system.gateway, [first], 1, body)
    await until('its time is measured', () => system.time.pending() > 0 || undefined)
    system.time.fireNext()
    assert.equal(system.time.elapsed(), 5_000)
    await client?.ended
    assert.match(client?.response ?? '', /^HTTP\/1\.1 408 .*within 5 seconds/s)
  })
})

// Unauthenticated clients could send bodies of 256 KiB although no payment provider is configured.
describe('events of the payment provider', () => {
  const path = '/api/v1/billing/stripe/webhook'
  const quotaOf = (sendsEvents: boolean) => {
    const calls = { authenticated: 0, events: 0 }
    const quota: NonNullable<Fakes['quota']> = {
      GetPaymentProvider: async () => {
        calls.authenticated += 1
        return { sends_events: sendsEvents }
      },
      TakePaymentEvent: async () => {
        calls.events += 1
        return {}
      },
    }
    return { calls, quota }
  }

  it('are not read without a provider: the path does not exist', async () => {
    const { calls, quota } = quotaOf(false)
    await using system = await open({}, { quota })
    const unknown = await call(system.gateway, { path: '/api/v1/billing/none', from: first, body: '{}' })
    for (let round = 0; round < 3; round++) {
      const client = sendPart(system.gateway, { path, from: first, announced: 200_000, sent: 100_000 })
      await isAnswered(client, 404)
      assert.match(client.response, /"code":"not_found"/)
      client.socket.destroy()
    }
    assert.deepEqual([unknown.status, calls], [404, { authenticated: 1, events: 0 }])
  })

  it('take no memory from logins', async () => {
    const { calls, quota } = quotaOf(true)
    await using system = await open({}, { quota })
    const addresses = Array.from({ length: 20 }, (_, number) => `10.0.3.${number}`)
    await sendParts(system.gateway, addresses, 3, { path, announced: 250_000, sent: 240_000 })
    assert.equal(await system.logIn(third), 500)
    const event = { path, from: third, body: '{}' }
    assert.deepEqual([(await call(system.gateway, event)).status, calls.events], [200, 1])
  })
})
