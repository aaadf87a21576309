import assert from 'node:assert/strict'
import { Fault } from '@postrider/kit/fault.ts'
import { faultOf, faultOutcome } from '@postrider/kit/grpc/outcome.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import type { Step } from '../deps.ts'
import { gatewayMetrics } from '../metrics.ts'
import { type Fakes, mail, type TestGateway, testGateway } from '../testGateway.ts'
import { logUnsent, sendFaults } from './faults.ts'

const full = () => new Fault('unavailable', 'The queue is full.', { retryAfterMs: 5_000, expected: true })
const broken = (): never => {
  throw new Fault('unavailable', 'Nothing can be stored.', { cause: new Error('no primary') })
}

const submitting = (work: () => never): Fakes => ({ intake: { Submit: async () => work() } })

/** The lines about failures and refusals of a gateway. */
const logged = (gateway: TestGateway) => gateway.lines.filter(({ message }) => message !== 'request')

describe('line of a request', () => {
  const refused = (code: 'quota_exceeded' | 'rate_limited' | 'conflict' | 'unavailable'): Fakes =>
    submitting(() => {
      throw new Fault(code, 'No.')
    })
  const other = async () => assert.fail('a bug')
  const cases: [code: string | undefined, fakes: Fakes, call: Parameters<TestGateway['api']>[0]][] = [
    ['validation_failed', {}, { path: '/api/v1/emails', json: {} }],
    [
      'malformed_request',
      {},
      { path: '/api/v1/emails', method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
    ],
    ['unauthenticated', {}, { path: '/api/v1/emails', json: mail, headers: { authorization: 'Bearer x' } }],
    ['not_found', {}, { path: '/api/v1/nothing' }],
    ['method_not_allowed', {}, { path: '/api/v1/emails', method: 'PUT', json: {} }],
    ['quota_exceeded', refused('quota_exceeded'), { path: '/api/v1/emails', json: mail }],
    ['rate_limited', refused('rate_limited'), { path: '/api/v1/emails', json: mail }],
    ['conflict', refused('conflict'), { path: '/api/v1/emails', json: mail }],
    ['unavailable', refused('unavailable'), { path: '/api/v1/emails', json: mail }],
    ['internal', { intake: { Submit: other } }, { path: '/api/v1/emails', json: mail }],
    ['forbidden', {}, { path: '/mailbox', headers: { accept: 'text/html' } }],
    [undefined, {}, { path: '/api/v1/openapi.json' }],
  ]
  for (const [code, fakes, call] of cases)
    it(`has the code of the response: ${code ?? 'none'}`, async () => {
      await using gateway = await testGateway(fakes)
      const response = await gateway.api(call)
      const line = gateway.lines.find(({ message }) => message === 'request') ?? assert.fail('no line')
      assert.deepEqual([line['code'], line['status']], [code, response.status])
      assert.equal('code' in line, code !== undefined)
    })
})

describe('log of failed requests', () => {
  // Decisions of the service were logged as errors with a stack, so any client could fill the log.
  it('has an expected 503 without a stack, with and without an Idempotency-Key', async () => {
    await using gateway = await testGateway(
      submitting(() => {
        throw full()
      }),
    )
    for (const headers of [{}, { 'idempotency-key': 'k' }]) {
      const response = await gateway.api({ path: '/api/v1/emails', json: mail, headers })
      assert.deepEqual(
        [response.status, response.body.code, response.headers['retry-after']],
        [503, 'unavailable', '5'],
      )
      const line = logged(gateway).pop() ?? assert.fail('nothing is logged')
      assert.deepEqual([line['message'], line['code'], 'err' in line], ['request refused', 'unavailable', false])
      assert.equal(line['request_id'], response.headers['x-request-id'])
    }
  })

  it('has the same line for a request that a service refused over gRPC', async () => {
    const overGrpc = faultOf(faultOutcome(full())) ?? assert.fail('no fault')
    assert.equal(overGrpc.expected, true)
    await using gateway = await testGateway(
      submitting(() => {
        throw overGrpc
      }),
    )
    await gateway.api({ path: '/api/v1/emails', json: mail })
    assert.deepEqual(
      logged(gateway).map(({ message }) => message),
      ['request refused'],
    )
  })

  it('has a dependency that failed with its cause, and a bug', async () => {
    for (const [work, code, cause] of [
      [broken, 'unavailable', 'no primary'],
      [() => assert.fail('a bug'), 'internal', 'a bug'],
    ] as const) {
      await using gateway = await testGateway(submitting(work))
      await gateway.api({ path: '/api/v1/emails', json: mail })
      const [line, ...others] = logged(gateway)
      assert.ok(line && line['err'] instanceof Error)
      assert.deepEqual(
        [line['message'], line['code'], line['err'].message, others],
        ['request failed', code, cause, []],
      )
    }
  })

  for (const [name, destroyed, expected] of [
    ['left', true, 'request refused'],
    ['waits', false, 'request failed'],
  ] as const)
    it(`has a call that failed while its client ${name} as "${expected}"`, async () => {
      const messages: string[] = []
      const log = (_: object, message: string) => void messages.push(message)
      const step = sendFaults({
        log: { info: log, warn: log, error: log },
        metrics: makeMetrics(gatewayMetrics),
      })
      const context = {
        state: { requestId: 'req_1' },
        req: { socket: { destroyed } },
        path: '/api',
        set() {},
        get: () => '',
      }
      await step(context as unknown as Parameters<Step>[0], async () => broken())
      assert.deepEqual(messages, [expected])
    })

  it('has a response that a client did not wait for without a stack, and any other failure with one', () => {
    const lines: [string, object, string][] = []
    const at = (level: string) => (fields: object, message: string) => void lines.push([level, fields, message])
    const log = logUnsent({ info: at('info'), warn: at('warn'), error: at('error') })
    const coded = (code: string) => Object.assign(new Error(code), { code })
    const [reset, other] = [coded('ECONNRESET'), coded('ERR_INVALID_CHAR')]
    // A long response that was made for a client that had left was logged as a failure.
    const unpiped = coded('ERR_STREAM_UNABLE_TO_PIPE')
    for (const error of [reset, coded('EPIPE'), coded('ERR_STREAM_PREMATURE_CLOSE'), unpiped, other]) log(error)
    assert.deepEqual(lines, [
      ['info', { code: 'ECONNRESET' }, 'response not sent'],
      ['info', { code: 'EPIPE' }, 'response not sent'],
      ['info', { code: 'ERR_STREAM_PREMATURE_CLOSE' }, 'response not sent'],
      ['info', { code: 'ERR_STREAM_UNABLE_TO_PIPE' }, 'response not sent'],
      ['warn', { err: other }, 'response failed'],
    ])
  })
})
