import assert from 'node:assert/strict'
import { Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { failed } from './unary.ts'

const told = (code: status, details: string) =>
  failed(Object.assign(new Error(), { code, details, metadata: new Metadata() }) satisfies ServiceError).code

describe('how a call failed', () => {
  // A replica that was lost under load was answered as a bug of ours, 500.
  it('a stream that ended without a status is nobody’s answer', () => {
    assert.equal(
      told(status.INTERNAL, 'Received RST_STREAM with code 0 (Call ended without gRPC status)'),
      status.UNAVAILABLE,
    )
    assert.equal(
      told(status.INTERNAL, 'Received RST_STREAM with code 2 triggered by internal client error'),
      status.UNAVAILABLE,
    )
  })

  it('any other is what gRPC says', () => {
    assert.equal(told(status.INTERNAL, ''), status.INTERNAL)
    assert.equal(told(status.DEADLINE_EXCEEDED, 'Received RST_STREAM with code 0'), status.DEADLINE_EXCEEDED)
  })
})
