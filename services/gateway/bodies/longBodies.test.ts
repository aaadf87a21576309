import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Fault } from '@postrider/kit/fault.ts'
import { until } from '../../../test/support/until.ts'
import { defaultGatewayLimits } from '../config.ts'
import { aKey, type Fakes, testGateway } from '../testGateway.ts'

const path = '/api/v1/emails'
const mailOf = (bytes: number) => JSON.stringify({ to: ['a@example.com'], subject: 's', text: 'x'.repeat(bytes) })
const [short, long] = [mailOf(1_000), mailOf(300_000)]

/** A gateway with memory for one long body. Its intake responds when the test resolves `state.mayRespond`. */
const open = async (waitMs: number) => {
  const state = { taken: 0, mayRespond: Promise.withResolvers<void>() }
  const Submit: NonNullable<Fakes['intake']>['Submit'] = async () => {
    state.taken += 1
    await state.mayRespond.promise
    return { id: 'em_1', status: 202, bodyJson: '{}', replayed: false, quota: null }
  }
  const limits = { ...defaultGatewayLimits, longBodies: { bytes: 400_000, bytesOfOne: 400_000, waitMs } }
  const gateway = await testGateway({ intake: { Submit }, config: { limits } })
  const headers = { 'content-type': 'application/json' }
  const send = async (body: string) => (await gateway.api({ method: 'POST', path, body, headers })).status
  return { state, gateway, send, [Symbol.asyncDispose]: gateway[Symbol.asyncDispose] }
}

// Regression: a hundred concurrent messages of 10 MiB used 5 GB.
describe('long bodies', () => {
  it('wait for each other; short bodies do not wait', async () => {
    await using system = await open(10_000)
    const { state, send } = system
    const all = [send(long), send(long), send(long)]
    await until('the first reached intake', () => (state.taken === 1 ? true : undefined))
    all.push(send(short))
    await until('the short one reached intake', () => (state.taken === 2 ? true : undefined))
    state.mayRespond.resolve()
    assert.deepEqual(await Promise.all(all), [202, 202, 202, 202])
  })

  it('are rejected when no memory is free in time, and read to their end', async () => {
    await using system = await open(50)
    const { state, send } = system
    const first = send(long)
    await until('the first reached intake', () => (state.taken === 1 ? true : undefined))
    const socket = connect(system.gateway.port, '127.0.0.1')
    const head = [`POST ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${aKey()}`, 'Connection: close']
    const about = ['Content-Type: application/json', 'Transfer-Encoding: chunked']
    socket.write(`${[...head, ...about].join('\r\n')}\r\n\r\n`)
    // Longer than all buffers on the way, so the writes finish only if the gateway reads.
    const much = 'x'.repeat(2 ** 20)
    for (let written = 0; written < 12; written++) {
      if (!socket.write(`${much.length.toString(16)}\r\n${much}\r\n`)) await once(socket, 'drain')
    }
    socket.write('0\r\n\r\n')
    const [response] = await once(socket.setEncoding('utf8'), 'data')
    assert.match(response, /^HTTP\/1\.1 503 /)
    assert.match(response, /\r\nRetry-After: 1\r\n/i)
    socket.destroy()
    state.mayRespond.resolve()
    assert.equal(await first, 202)
    assert.equal(state.taken, 1)
  })

  it('have contents whose memory is free as soon as intake has accepted them, and only then', async () => {
    const content = Buffer.alloc(300_000, 7)
    const seen: { given: Uint8Array; bytes: Buffer }[] = []
    const Submit: NonNullable<Fakes['intake']>['Submit'] = async ({ mail }) => {
      const given = mail.attachments[0]?.content ?? assert.fail('no attachment')
      seen.push({ given, bytes: Buffer.from(given) })
      if (seen.length === 1) throw new Fault('unavailable', 'It may still be working.')
      return { id: 'em_1', status: 202, bodyJson: '{}', replayed: false, quota: null }
    }
    await using gateway = await testGateway({ intake: { Submit } })
    const attachments = [{ filename: 'a.bin', content: content.toString('base64') }]
    const body = JSON.stringify({ to: ['a@example.com'], subject: 's', text: 't', attachments })
    const headers = { 'content-type': 'application/json' }
    for (const status of [503, 202]) {
      assert.equal((await gateway.api({ method: 'POST', path, body, headers })).status, status)
    }
    assert.deepEqual(
      seen.map(({ bytes }) => bytes.equals(content)),
      [true, true],
    )
    assert.deepEqual(
      seen.map(({ given }) => given.byteLength),
      [content.length, 0],
    )
  })
})
