import assert from 'node:assert/strict'
import { type IntakeRpc, intakeSpec } from '@postrider/contracts/services.ts'
import { tcpProxy } from '../support/tcpProxy.ts'
import { clientOf, forms, only, patient, served } from './grpc.ts'

type Submit = IntakeRpc['SubmitOnce']
type Submitted = Parameters<Submit>[0]

const request: Submitted = {
  caller: null,
  mail: null,
  idempotency_key: '',
  operation: '',
  fingerprint: Buffer.alloc(0),
  former_fingerprint: Buffer.alloc(0),
  request_id: 'req_1',
  is_repeat: false,
  email_id: 'em_1',
}
const reply = (id: string) => ({ id, status: 202, body_json: '{}', replayed: false })
const missing = async () => ({}) as never
const intakeOf = (some: Partial<IntakeRpc>): IntakeRpc =>
  only<IntakeRpc>({ ...Object.fromEntries(Object.keys(intakeSpec.methods).map((name) => [name, missing])), ...some })

for (const { form, batch } of forms)
  describe(`sends over gRPC, calls ${form}`, () => {
    // A connection that was lost while its server stopped: the send failed with 503, although it was accepted.
    it('are repeated under the same id when the connection is lost before the response', async () => {
      const received: Submitted[] = []
      const SubmitOnce: Submit = async (submitted) => {
        received.push(submitted)
        if (received.length === 1) {
          proxy.reset()
          return new Promise<never>(() => {})
        }
        return reply(submitted.email_id)
      }
      await using server = await served({ spec: intakeSpec, implementation: intakeOf({ SubmitOnce }) })
      await using proxy = await tcpProxy({ to: server.address })
      await using client = clientOf(patient(intakeSpec), proxy.address, { batch })
      assert.equal((await client.service.SubmitOnce(request)).id, 'em_1')
      assert.deepEqual(
        received.map(({ email_id, is_repeat }) => [email_id, is_repeat]),
        [
          ['em_1', false],
          ['em_1', true],
        ],
      )
    })
  })
