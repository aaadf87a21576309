import assert from 'node:assert/strict'
import { Fault } from '@postrider/kit/fault.ts'
import type { CapturedMail } from '@postrider/ports/mailbox.ts'
import { outgoing } from '../../../test/support/sinkAndTransport.ts'
import { mailboxTransport } from './mailboxTransport.ts'

describe('mailbox transport', () => {
  it('stores the envelope of the mail', async () => {
    const entries: CapturedMail[] = []
    const transport = mailboxTransport({ put: async (entry) => void entries.push(entry) }, () => 1_700_000_000_000)
    const { host } = await transport.send(outgoing({ to: ['a@x.example', 'b@x.example'] }))
    assert.equal(host, 'mailbox')
    const ids = { attemptId: 'att_1', emailId: 'em_1', workspace: 'ws_1', mode: 'live' }
    const to = ['a@x.example', 'b@x.example']
    assert.deepEqual(entries, [{ ...ids, at: 1_700_000_000_000, from: 'bounce@sender.example', to }])
  })

  it('returns a retryable result when the store is unavailable', async () => {
    const put = (): Promise<void> => Promise.reject(new Fault('unavailable', 'the disk is full'))
    const { results } = await mailboxTransport({ put }, () => 0).send(outgoing())
    assert.deepEqual(results, [
      { kind: 'lost_before_dot', reason: 'cannot store mail in the mailbox: the disk is full' },
    ])
  })
})
