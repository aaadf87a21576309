import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { until } from '../../../test/support/until.ts'
import { defaultGatewayLimits, type GatewayLimits } from '../config.ts'
import { aCaller, aKey, aPerson, config, type Fakes, type TestGateway, testGateway } from '../testGateway.ts'

const json = { 'content-type': 'application/json' }
const operator = { authorization: `Bearer ${config.operatorToken}` }

/**
 * A gateway whose services respond when the test resolves `mayRespond`. The client address decides about the workspace.
 */
const open = async (limits: Partial<GatewayLimits>) => {
  const state = { taken: 0, mayRespond: Promise.withResolvers<void>() }
  const waits = async (): Promise<never> => {
    state.taken++
    await state.mayRespond.promise
    throw new TypeError('the end of the test')
  }
  const services: Fakes = {
    intake: { Submit: waits },
    templates: { Create: waits },
    quota: { TakePaymentEvent: waits },
    accounts: {
      AuthenticateKey: async ({ client_address }) => aCaller({ workspace: `ws_${client_address}` }),
      AuthenticateSession: async ({ token }) => ({
        token: '',
        csrf_token: 'c',
        email: 'e',
        caller: aPerson({ workspace: `ws_${token}` }),
      }),
      LogIn: waits,
      SignUp: waits,
      SetWorkspaceControls: waits,
    },
  }
  const longBodies = { ...defaultGatewayLimits.longBodies, waitMs: 50 }
  const gateway = await testGateway({
    ...services,
    config: { limits: { ...defaultGatewayLimits, longBodies, ...limits }, trustedProxies: ['127.0.0.1'] },
  })
  return {
    gateway,
    taken: (count: number) => until(`${count} requests wait`, () => (state.taken >= count ? true : undefined)),
    [Symbol.asyncDispose]: async () => {
      state.mayRespond.resolve()
      await gateway[Symbol.asyncDispose]()
    },
  }
}

type Kind = { method: string; path: string; headers: Record<string, string>; bodyOf(bytes: number): string }

/** Adds white space, so that any size is a valid body. */
const padded = (value: object) => (bytes: number) => JSON.stringify(value).padEnd(bytes, ' ')

const logIn: Kind = {
  method: 'POST',
  path: '/api/v1/auth/login',
  headers: {},
  bodyOf: padded({ email: 'a@example.com', password: 'p'.repeat(20) }),
}
const logInForm: Kind = {
  method: 'POST',
  path: '/mailbox/login',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  bodyOf: (bytes) => 'email=a@example.com&password='.padEnd(bytes, 'p'),
}
const signUp: Kind = {
  method: 'POST',
  path: '/api/v1/auth/signup',
  headers: {},
  bodyOf: padded({ email: 'a@example.com', password: 'p'.repeat(20), workspace_name: 'w' }),
}
const controls: Kind = {
  method: 'PATCH',
  path: '/api/v1/operator/workspaces/ws_1',
  headers: operator,
  bodyOf: padded({ note: 'n' }),
}
const key = { authorization: `Bearer ${aKey()}` }
const send: Kind = {
  method: 'POST',
  path: '/api/v1/emails',
  headers: key,
  bodyOf: padded({ to: ['a@example.com'], subject: 's', text: 't' }),
}
const template: Kind = {
  method: 'POST',
  path: '/api/v1/templates',
  headers: key,
  bodyOf: padded({ name: 'n', subject: 's', text_body: 't' }),
}

const payment: Kind = { method: 'POST', path: '/api/v1/billing/stripe/webhook', headers: {}, bodyOf: padded({}) }
/** A form of the dashboard, sent with the session of the workspace of 10.0.0.1. */
const frame: Kind = {
  method: 'POST',
  path: '/templates/preview',
  headers: { cookie: 'sid=10.0.0.1', 'content-type': 'application/x-www-form-urlencoded' },
  bodyOf: (bytes) => 'csrf_token=c&html='.padEnd(bytes, 'h'),
}

const call = (gateway: TestGateway, kind: Kind, bytes: number, from = '10.0.0.1') =>
  gateway.call({ ...kind, headers: { ...json, ...kind.headers, 'x-forwarded-for': from }, body: kind.bodyOf(bytes) })

describe('bodies without a key', () => {
  for (const kind of [logIn, signUp, controls]) {
    it(`are refused over 16 KiB: ${kind.method} ${kind.path}`, async () => {
      await using system = await open({})
      const { status, body } = await call(system.gateway, kind, 16 * 1_024 + 1)
      assert.deepEqual([status, body.code], [413, 'too_large'])
      assert.match(body.detail ?? '', /16 KiB/)
      const chunked = { ...json, ...kind.headers, 'transfer-encoding': 'chunked' }
      const again = await system.gateway.call({ ...kind, headers: chunked, body: kind.bodyOf(200_000) })
      assert.equal(again.status, 413)
    })

    it(`are read up to 16 KiB: ${kind.method} ${kind.path}`, async () => {
      await using system = await open({})
      const response = call(system.gateway, kind, 16 * 1_024)
      await Promise.race([system.taken(1), response.then(({ text }) => assert.fail(text))])
    })
  }

  it('have a share per client address, and take nothing from workspaces and the operator', async () => {
    await using system = await open({ openBodies: { bytes: 40_000, bytesOfOne: 20_000 } })
    const { gateway, taken } = system
    const calls = [call(gateway, logIn, 15_000), call(gateway, signUp, 15_000, '10.0.0.2')]
    await taken(2)
    const { status, headers, body } = await call(gateway, logIn, 15_000)
    assert.deepEqual([status, headers['retry-after'], body.code], [503, '1', 'unavailable'])
    // The bodies of forms were not counted.
    assert.equal((await call(gateway, logInForm, 8_000)).status, 503)
    calls.push(call(gateway, logIn, 1_000, '10.0.0.3'), call(gateway, send, 60_000), call(gateway, controls, 10_000))
    await taken(5)
  })
})

describe('short bodies', () => {
  for (const kind of [send, template])
    it(`have a share per workspace: ${kind.path}`, async () => {
      await using system = await open({ shortBodies: { bytes: 100_000, bytesOfOne: 50_000 } })
      const { gateway, taken } = system
      const calls = [call(gateway, kind, 45_000)]
      await taken(1)
      assert.equal((await call(gateway, kind, 45_000)).status, 503)
      calls.push(call(gateway, kind, 45_000, '10.0.0.2'), call(gateway, logIn, 10_000))
      await taken(3)
    })

  it('short bodies wait for free memory', async () => {
    const longBodies = { ...defaultGatewayLimits.longBodies, waitMs: 30_000 }
    await using system = await open({ longBodies, shortBodies: { bytes: 50_000, bytesOfOne: 50_000 } })
    const first = slowly(system.gateway, send, 40_000)
    first.write(send.bodyOf(40_000).slice(0, 39_000))
    await until('its bytes are read', () => (first.bytesWritten > 39_000 && first.writableLength === 0) || undefined)
    const second = call(system.gateway, send, 40_000)
    first.destroy()
    await Promise.race([system.taken(1), second.then(({ text }) => assert.fail(text))])
  })

  it('count by the bytes that have arrived, not by those that were announced', async () => {
    await using system = await open({
      shortBodies: { bytes: 60_000, bytesOfOne: 60_000 },
      openBodies: { bytes: 16_000, bytesOfOne: 16_000 },
    })
    const clients = Array.from({ length: 30 }, (_, n) => slowly(system.gateway, n % 2 ? send : logIn, 16_000))
    for (const client of clients) client.write('{')
    const responses = [call(system.gateway, send, 50_000), call(system.gateway, logIn, 15_000)]
    await system.taken(responses.length)
    for (const client of clients) client.destroy()
  })
})

describe('long bodies of any route', () => {
  // Unauthenticated clients used the memory of long messages: each of their events could have 256 KiB.
  it('use no memory of workspaces without a key: an event of the payment provider', async () => {
    await using system = await open({
      longBodies: { bytes: 300_000, bytesOfOne: 300_000, waitMs: 50 },
      paymentBodies: { bytes: 300_000, bytesOfOne: 300_000 },
    })
    const { gateway, taken } = system
    const calls = [call(gateway, payment, 200_000)]
    await taken(1)
    assert.equal((await call(gateway, payment, 200_000)).status, 503)
    calls.push(call(gateway, send, 250_000))
    await taken(2)
  })

  it('count against the workspace of a session: a form of the dashboard', async () => {
    await using system = await open({ longBodies: { bytes: 1_600_000, bytesOfOne: 750_000, waitMs: 50 } })
    const { gateway, taken } = system
    const form = slowly(gateway, frame, 700_000)
    form.write(frame.bodyOf(200_000))
    const isRefused = async () => (await call(gateway, frame, 300_000)).status === 503
    await until('the form has its memory', async () => ((await isRefused()) ? true : undefined))
    assert.equal((await call(gateway, template, 300_000)).status, 503)
    const other = call(gateway, template, 300_000, '10.0.0.2')
    await Promise.race([taken(1), other.then(({ text }) => assert.fail(text))])
    form.destroy()
  })

  it('use the budget of long bodies: a template of 300 KB', async () => {
    await using system = await open({ longBodies: { bytes: 800_000, bytesOfOne: 400_000, waitMs: 50 } })
    const { gateway, taken } = system
    const calls = [call(gateway, template, 300_000)]
    await taken(1)
    assert.equal((await call(gateway, template, 300_000)).status, 503)
    assert.equal((await call(gateway, send, 300_000)).status, 503)
    calls.push(call(gateway, send, 300_000, '10.0.0.2'), call(gateway, template, 1_000))
    await taken(3)
  })
})

/** Opens a request with its header only. */
const slowly = ({ port }: TestGateway, { method, path, headers }: Kind, bytes: number): Socket => {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  const all = { Host: 'x', ...json, ...headers, 'X-Forwarded-For': '10.0.0.1', 'Content-Length': bytes }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  socket.write(`${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`)
  return socket
}
