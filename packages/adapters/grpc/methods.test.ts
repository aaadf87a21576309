import assert from 'node:assert/strict'
import { status } from '@grpc/grpc-js'
import { type IntakeRpc, intakeSpec } from '@postrider/contracts/services.ts'
import { withDeadline } from '@postrider/kit/deadline.ts'
import { methodsOf } from '@postrider/kit/grpc/definition.ts'
import type { Call, SendCall } from './call.ts'
import { clientMethods } from './methods.ts'

const submit = {
  caller: null,
  mail: null,
  operation: '',
  fingerprint: Buffer.alloc(0),
  former_fingerprint: Buffer.alloc(0),
  request_id: '',
  is_repeat: false,
  email_id: '',
}

const submitCodec = methodsOf(intakeSpec).find(({ name }) => name === 'Submit') ?? assert.fail()

/** @param response returns the status of a call; default: OK */
const rig = (response: (call: Call) => status = () => status.OK) => {
  const sent: [string, Call][] = []
  const sender = (how: string): SendCall => {
    return async (call) => {
      sent.push([how, call])
      return { code: response(call), body: Buffer.alloc(0), statusDetails: '' }
    }
  }
  const retries = { sendOnce: sender('once'), sendRepeatable: sender('repeatable') }
  const headers = () => ({ traceparent: '00' })
  const service = clientMethods<IntakeRpc>({ spec: intakeSpec, ...retries, metrics: null, headers, now: () => 1_000 })
  return { service, sent }
}

describe('gRPC client methods', () => {
  it('repeats a call only as the rules of its method allow', async () => {
    const { service, sent } = rig()
    const reader = { workspace: 'ws', mode: '', sent_by: '', actor: '', recipients: [], domains: [] }
    await service.Submit({ ...submit, idempotency_key: '' })
    await service.Submit({ ...submit, idempotency_key: 'k' })
    await service.GetEmail({ id: 'em', reader })
    await service.CancelEmail({ id: 'em', reader })
    assert.deepEqual(
      sent.map(([how]) => how),
      ['once', 'repeatable', 'repeatable', 'once'],
    )
  })

  it('sets the deadline of the method and the headers', async () => {
    const { service, sent } = rig()
    await service.Submit({ ...submit, idempotency_key: 'k' })
    const [, call] = sent[0] ?? assert.fail()
    assert.equal(call.deadlineAt, 1_000 + intakeSpec.methods.Submit.deadlineMs)
    assert.deepEqual([call.path, call.headers], ['/postrider.intake.v1.Intake/Submit', { traceparent: '00' }])
  })

  it('sets the deadline of the request where that is earlier', async () => {
    const { service, sent } = rig()
    const { deadlineMs } = intakeSpec.methods.Submit
    for (const at of [1_000 + deadlineMs - 1, 1_000 + deadlineMs + 1])
      await withDeadline(at, () => service.Submit({ ...submit, idempotency_key: 'k' }))
    assert.deepEqual(
      sent.map(([, call]) => call.deadlineAt),
      [1_000 + deadlineMs - 1, 1_000 + deadlineMs],
    )
  })

  it('names the workspace of a long message, and of no other', async () => {
    const { service, sent } = rig()
    const caller = { workspace: 'ws_1' } as Parameters<IntakeRpc['Submit']>[0]['caller']
    for (const length of [10, 70_000])
      await service.Submit({ ...submit, caller, idempotency_key: 'k', operation: 'x'.repeat(length) })
    assert.deepEqual(
      sent.map(([, { headers }]) => headers),
      [{ traceparent: '00' }, { traceparent: '00', 'postrider-workspace': 'ws_1' }],
    )
  })

  it('marks the repeated call of a send, and no other call', async () => {
    const { service, sent } = rig()
    await service.Submit({ ...submit, idempotency_key: 'k' })
    await service.GetEmail({
      id: 'em',
      reader: { workspace: 'ws', mode: '', sent_by: '', actor: '', recipients: [], domains: [] },
    })
    const [first, read] = sent.map(([, call]) => call)
    const decode = (message: Buffer | undefined) => submitCodec.request.decode(message ?? assert.fail())
    assert.equal((decode(first?.message) as typeof submit).is_repeat, false)
    const repeated = decode(first?.repeatMessage?.())
    assert.deepEqual(repeated, { ...decode(first?.message), is_repeat: true })
    assert.equal(read?.repeatMessage, undefined)
  })

  const methodOf = ({ path }: Call): string => path.slice(path.lastIndexOf('/') + 1)
  const ofRelease01 = (call: Call): status => (methodOf(call) === 'SubmitOnce' ? status.UNIMPLEMENTED : status.OK)

  it('calls the former method, by its own rules, if the service does not have the method yet', async () => {
    const { service, sent } = rig(ofRelease01)
    await service.SubmitOnce({ ...submit, idempotency_key: '' })
    assert.deepEqual(
      sent.map(([how, call]) => [how, methodOf(call)]),
      [
        ['repeatable', 'SubmitOnce'],
        ['once', 'Submit'],
      ],
    )
  })

  // Another replica may have accepted the mail before its response was lost, and the former method would accept it
  // again.
  it('does not call the former method after a call that may have run', async () => {
    const { service, sent } = rig((call) => {
      if (methodOf(call) === 'SubmitOnce') call.repeatMessage?.()
      return ofRelease01(call)
    })
    const sending = service.SubmitOnce({ ...submit, idempotency_key: '' })
    await assert.rejects(sending, { code: 'unavailable', retryAfterMs: 1_000 })
    assert.equal(sent.length, 1)
  })

  it('reports an unsupported method that has no former method', async () => {
    const { service } = rig(() => status.UNIMPLEMENTED)
    await assert.rejects(service.GetQueues({}), /GetQueues: UNIMPLEMENTED/)
  })
})
