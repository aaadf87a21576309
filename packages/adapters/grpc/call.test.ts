import assert from 'node:assert/strict'
import { Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { Fault } from '@postrider/kit/fault.ts'
import { faultOutcome } from '@postrider/kit/grpc/outcome.ts'
import { type CallResponse, errorOf, responseOf } from './call.ts'

const codeOf = (code: status, details: string) =>
  responseOf(Object.assign(new Error(), { code, details, metadata: new Metadata() }) satisfies ServiceError).code

describe('response of a failed call', () => {
  // The loss of a replica under load once became a 500.
  it('treats a stream that ended without a status as unavailable', () => {
    assert.equal(
      codeOf(status.INTERNAL, 'Received RST_STREAM with code 0 (Call ended without gRPC status)'),
      status.UNAVAILABLE,
    )
    assert.equal(
      codeOf(status.INTERNAL, 'Received RST_STREAM with code 2 triggered by internal client error'),
      status.UNAVAILABLE,
    )
  })

  it('passes on every other gRPC status', () => {
    assert.equal(codeOf(status.INTERNAL, ''), status.INTERNAL)
    assert.equal(codeOf(status.DEADLINE_EXCEEDED, 'Received RST_STREAM with code 0'), status.DEADLINE_EXCEEDED)
  })
})

describe('error of a failed call', () => {
  const response = (code: number, body = ''): CallResponse => ({
    code,
    body: Buffer.from(body),
    statusDetails: 'for the log',
  })

  it('is unavailable with a delay for a status that passes', () => {
    for (const code of [status.UNAVAILABLE, status.CANCELLED, status.DEADLINE_EXCEEDED, status.RESOURCE_EXHAUSTED]) {
      const thrown = errorOf('/a.B/C', response(code))
      assert.ok(thrown instanceof Fault && thrown.code === 'unavailable')
      assert.ok(thrown.retryAfterMs !== null && thrown.retryAfterMs >= 1_000 && thrown.retryAfterMs <= 2_000)
      assert.doesNotMatch(thrown.message, /for the log|a\.B/)
      assert.match(String(thrown.cause), /for the log/)
    }
  })

  const acceptedOf = (response: CallResponse): string => {
    const thrown = errorOf('/a.B/C', response)
    return thrown instanceof Fault ? thrown.accepted : assert.fail(String(thrown))
  }

  it('states whether the request may have been accepted', () => {
    const refused = (accepted?: 'no') => ({
      ...faultOutcome(new Fault('unavailable', 'full', { ...(accepted && { accepted }) })),
      statusDetails: '',
    })
    const notSent = { ...response(status.UNAVAILABLE), statusDetails: 'No connection established' }
    for (const call of [refused('no'), notSent]) {
      assert.equal(acceptedOf(call), 'no')
      // The result of the earlier call, whose response was lost, is unknown.
      assert.equal(acceptedOf({ ...call, isRepeat: true }), 'unknown')
    }
    for (const call of [refused(), response(status.UNAVAILABLE)]) assert.equal(acceptedOf(call), 'unknown')
  })

  // Clients got 500 without Retry-After when a service had a wrong token.
  it('is unavailable with a longer delay when the service refuses the caller', () => {
    for (const code of [status.UNAUTHENTICATED, status.PERMISSION_DENIED]) {
      const thrown = errorOf('/a.B/C', response(code))
      assert.ok(thrown instanceof Fault && thrown.code === 'unavailable')
      assert.equal(thrown.retryAfterMs, 5_000)
      assert.doesNotMatch(thrown.message, /for the log|a\.B/)
      assert.match(String(thrown.cause), /\/a\.B\/C: [A-Z_]+ for the log/)
    }
  })

  it('is a plain error for any other status', () => {
    for (const code of [status.INTERNAL, status.UNKNOWN, status.UNIMPLEMENTED, status.NOT_FOUND]) {
      const thrown = errorOf('/a.B/C', response(code))
      assert.ok(!(thrown instanceof Fault))
      assert.match(thrown.message, /\/a\.B\/C: [A-Z_]+ for the log/)
    }
  })

  it('is decided by the status when the fault is not readable', () => {
    for (const body of [
      'x',
      '{}',
      'null',
      '{"code":"new","detail":"x"}',
      '{"code":"internal"}',
      '{"code":["internal"]}',
    ]) {
      assert.ok(!(errorOf('/a.B/C', response(status.INTERNAL, body)) instanceof Fault), body)
    }
  })
})
