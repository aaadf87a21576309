import assert from 'node:assert/strict'
import { status } from '@grpc/grpc-js'
import type { IntakeRpc } from '@postrider/contracts/services.ts'
import { intakeWire } from '@postrider/contracts/wire.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Answer, Ask, Call } from './ask.ts'
import { callers } from './callers.ts'
import { thrownFor } from './refusals.ts'

const submit = { caller: null, mail: null, operation: '', fingerprint: Buffer.alloc(0), request_id: '' }

const rig = () => {
  const asked: [string, Call][] = []
  const asking = (how: string): Ask => {
    return async (call) => {
      asked.push([how, call])
      return { code: status.OK, body: Buffer.alloc(0), told: '' }
    }
  }
  const asks = { once: asking('once'), again: asking('again') }
  const headers = () => ({ traceparent: '00' })
  const service: IntakeRpc = callers<IntakeRpc>({ wire: intakeWire, asks, metrics: null, headers, now: () => 1_000 })
  return { service, asked }
}

describe('the functions of a service elsewhere', () => {
  it('are asked again by themselves only where their rules allow it', async () => {
    const { service, asked } = rig()
    const reader = { workspace: 'ws', mode: '', sent_by: '', actor: '' }
    await service.Submit({ ...submit, idempotency_key: '' })
    await service.Submit({ ...submit, idempotency_key: 'k' })
    await service.GetEmail({ id: 'em', reader })
    await service.CancelEmail({ id: 'em', reader })
    assert.deepEqual(
      asked.map(([how]) => how),
      ['once', 'again', 'again', 'once'],
    )
  })

  it('have their own deadlines, and carry headers', async () => {
    const { service, asked } = rig()
    await service.Submit({ ...submit, idempotency_key: 'k' })
    const [, call] = asked[0] ?? assert.fail()
    assert.equal(call.deadlineAt, 1_000 + intakeWire.methods.Submit.deadlineMs)
    assert.deepEqual([call.path, call.headers], ['/postrider.intake.v1.Intake/Submit', { traceparent: '00' }])
  })
})

describe('a call that failed', () => {
  const answer = (code: number, body = ''): Answer => ({ code, body: Buffer.from(body), told: 'to the log' })

  it('is unavailable for a while where nobody answered in time or had room', () => {
    for (const code of [status.UNAVAILABLE, status.CANCELLED, status.DEADLINE_EXCEEDED, status.RESOURCE_EXHAUSTED]) {
      const thrown = thrownFor('/a.B/C', answer(code))
      assert.ok(thrown instanceof Fault && thrown.code === 'unavailable')
      assert.ok(thrown.retryAfterMs !== null && thrown.retryAfterMs >= 1_000 && thrown.retryAfterMs <= 2_000)
      assert.doesNotMatch(thrown.message, /log|a\.B/)
      assert.match(String(thrown.cause), /to the log/)
    }
  })

  it('is a bug of ours where gRPC says anything else', () => {
    for (const code of [
      status.INTERNAL,
      status.UNKNOWN,
      status.UNIMPLEMENTED,
      status.UNAUTHENTICATED,
      status.NOT_FOUND,
    ]) {
      const thrown = thrownFor('/a.B/C', answer(code))
      assert.ok(!(thrown instanceof Fault))
      assert.match(thrown.message, /\/a\.B\/C: [A-Z_]+ to the log/)
    }
  })

  it('with a fault that isn’t one of ours goes by its status', () => {
    for (const body of [
      'x',
      '{}',
      'null',
      '{"code":"new","detail":"x"}',
      '{"code":"internal"}',
      '{"code":["internal"]}',
    ]) {
      assert.ok(!(thrownFor('/a.B/C', answer(status.INTERNAL, body)) instanceof Fault), body)
    }
  })
})
