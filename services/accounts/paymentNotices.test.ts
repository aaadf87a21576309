import assert from 'node:assert/strict'
import type { PaymentNotice } from '@postrider/domain/billing/collections.ts'
import type { SystemMessage } from '@postrider/domain/email/systemMessage.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { openPaymentNotices } from './paymentNotices.ts'
import { testRig } from './testRig.ts'

const at = Date.UTC(2026, 11, 1)

const noticeOf = (workspace: string, over: Partial<PaymentNotice> = {}): PaymentNotice => ({
  id: 'inv_1/0',
  workspace,
  invoice: 'inv_1',
  number: 'PR-000007',
  amountCents: 2_650,
  at,
  reason: 'declined',
  page: { url: 'https://checkout.example/cs_1?a=1&b=2', until: at + 23 * 3_600_000 },
  nextAt: at + 86_400_000,
  ...over,
})

const rig = async (send: (message: SystemMessage) => Promise<void> = async () => {}) => {
  const { store, owner } = testRig()
  const { workspace } = await owner()
  const stored: PaymentNotice[] = []
  const sent: SystemMessage[] = []
  const billing = {
    notices: async (limit: number) => stored.slice(0, limit),
    removeNotice: async (id: string) => void stored.splice(0, stored.length, ...stored.filter((one) => one.id !== id)),
  }
  const mail = {
    send: async (message: SystemMessage) => {
      await send(message)
      sent.push(message)
    },
  }
  const log = { info: () => {}, warn: () => {}, error: (fields: object) => assert.fail(JSON.stringify(fields)) }
  return { workspace, stored, sent, open: () => openPaymentNotices({ accounts: store, billing, mail, log }) }
}

describe('notices about failed charges', () => {
  it('are mailed to each owner once, with the amount, the page and the next try', async () => {
    const { workspace, stored, sent, open } = await rig()
    await using notices = open()
    stored.push(noticeOf(workspace))
    assert.deepEqual([await notices.mailDue(), await notices.mailDue(), stored.length], [1, 0, 0])
    const [message] = sent
    assert.equal(sent.length, 1)
    assert.equal(message?.subject, 'Payment of invoice PR-000007 failed')
    for (const part of [
      '26.50 USD',
      'Your card was declined.',
      'https://checkout.example/cs_1?a=1&b=2',
      '2026-12-02 (UTC)',
    ])
      assert.ok(message?.text.includes(part), part)
    assert.ok(message?.html?.includes('https://checkout.example/cs_1?a=1&amp;b=2'))
    assert.match(message?.idempotencyKey ?? '', /^charge_failed inv_1\/0 usr_/)
  })

  it('have no link without a page, and name the last try', async () => {
    const { workspace, stored, sent, open } = await rig()
    await using notices = open()
    stored.push(noticeOf(workspace, { page: null, nextAt: null, reason: 'no_payment_method' }))
    await notices.mailDue()
    assert.match(sent[0]?.text ?? '', /No card is saved[\s\S]*not charged again[\s\S]*\/invoices\/inv_1\/pay/)
    assert.ok(!sent[0]?.text.includes('https://'))
  })

  it('stay stored while intake is unavailable, and go with an address or a workspace that gets no mail', async () => {
    let fault: Fault | null = new Fault('unavailable', 'away')
    const { workspace, stored, sent, open } = await rig(async () => {
      if (fault) throw fault
    })
    await using notices = open()
    stored.push(noticeOf(workspace), noticeOf('ws_gone', { id: 'inv_2/0' }))
    await assert.rejects(notices.mailDue(), { code: 'unavailable' })
    assert.equal(stored.length, 2)
    fault = new Fault('validation_failed', 'refused')
    assert.equal(await notices.mailDue(), 2)
    fault = null
    assert.deepEqual([await notices.mailDue(), sent.length], [0, 0])
  })
})
