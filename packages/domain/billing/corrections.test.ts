import assert from 'node:assert/strict'
import { newAllowance } from '../quota/plans.ts'
import { type Billing, openBilling } from './account.ts'
import { type Correction, correct, maxKeyedRequests, maxUnbilled, requestLifeMs } from './corrections.ts'

const at = Date.UTC(2026, 10, 16, 12)
const opened = openBilling('ws_1', newAllowance, { now: at, newInvoiceId: () => 'in_1' })
const request = { key: 'k', fingerprint: 'f', id: 'adj_1', at }
const ofAmount: Correction = { id: 'adj_1', sends: undefined, amountCents: -500, reason: 'Credit', at, request }
const ofSends: Correction = { ...ofAmount, sends: -3, amountCents: undefined }

const withAccount = (account: Partial<Billing['account']>): Billing => ({
  ...opened,
  account: { ...opened.account, ...account },
})
const unbilled = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `l${n}`, month: '2026-11', amountCents: 1 }))
const requests = (count: number, before = at) =>
  Array.from({ length: count }, (_, n) => ({ ...request, key: `k${n}`, at: before }))

describe('correction by the operator', () => {
  it('adds a line for an amount, and records its request', () => {
    const corrected = correct(opened, ofAmount, at)
    assert.ok(corrected.kind === 'corrected')
    const { newLines, unbilled: waiting, requests: recorded } = corrected.billing.account
    assert.deepEqual([newLines.length, waiting.length, recorded], [1, 1, [request]])
  })

  it('adds sends, and records no request without a key', () => {
    const corrected = correct(opened, { ...ofSends, request: null }, at)
    assert.ok(corrected.kind === 'corrected')
    const { newSends, requests: recorded } = corrected.billing.account
    assert.deepEqual([newSends, recorded], [[{ id: 'adj_1', sends: -3, at }], undefined])
  })

  it('refuses an amount while too many lines wait for an invoice', () => {
    const full = withAccount({ unbilled: unbilled(maxUnbilled) })
    assert.deepEqual(correct(full, ofAmount, at), { kind: 'unbilled_full' })
    assert.equal(correct(full, ofSends, at).kind, 'corrected')
    const almost = withAccount({ unbilled: unbilled(maxUnbilled - 1) })
    assert.equal(correct(almost, ofAmount, at).kind, 'corrected')
  })

  it('refuses a request with a key while too many requests are stored', () => {
    const full = withAccount({ requests: requests(maxKeyedRequests) })
    assert.deepEqual(correct(full, ofSends, at), { kind: 'requests_full' })
    assert.equal(correct(full, { ...ofSends, request: null }, at).kind, 'corrected')
    const old = withAccount({ requests: requests(maxKeyedRequests, at - requestLifeMs) })
    assert.equal(correct(old, ofSends, at).kind, 'corrected')
  })
})
