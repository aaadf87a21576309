import assert from 'node:assert/strict'
import { newAllowance } from '../quota/plans.ts'
import { dayMs } from '../time.ts'
import { emptyAccount } from './account.ts'
import { type BillingKind, billingKind, unbilledSince } from './kind.ts'

const now = Date.UTC(2026, 10, 29, 12)
const account = emptyAccount('2026-11')
const free = newAllowance
const pro = (since: number) => ({ plan: 'pro', since }) as const

const cases: [name: string, stored: Parameters<typeof billingKind>[0], kind: BillingKind][] = [
  ['a workspace', { workspace: { deletesAt: null }, account: null, allowance: free }, 'billed'],
  ['a workspace that can still be restored', { workspace: { deletesAt: now + 1 }, account, allowance: free }, 'billed'],
  ['a workspace whose deletion is due', { workspace: { deletesAt: now }, account, allowance: free }, 'deleted'],
  ['a deleted workspace that was billed', { workspace: null, account, allowance: free }, 'deleted'],
  ['a deleted workspace whose plan is left', { workspace: null, account, allowance: pro(0) }, 'deleted'],
  [
    'a workspace that nothing was charged',
    { workspace: { deletesAt: null }, account: null, allowance: pro(0) },
    'billed',
  ],
  ['a deleted workspace without an account', { workspace: null, account: null, allowance: free }, 'none'],
  ['a sign-up in progress', { workspace: null, account: null, allowance: pro(now - dayMs) }, 'none'],
  ['a sign-up that failed', { workspace: null, account: null, allowance: pro(now - dayMs - 1) }, 'abandoned'],
  ['a plan of unknown age', { workspace: null, account: null, allowance: { plan: 'pro' } }, 'abandoned'],
]

describe('workspace that was never billed', () => {
  it('has been due since the time at which its plan would be removed without a workspace', () => {
    const kindAt = (at: number) =>
      billingKind({ workspace: null, account: null, allowance: pro(unbilledSince(now)) }, at)
    assert.deepEqual([kindAt(now), kindAt(now + 1)], ['none', 'abandoned'])
  })
})

describe('kind of a workspace for billing', () => {
  for (const [name, stored, kind] of cases)
    it(`is ${kind}: ${name}`, () => {
      assert.equal(billingKind(stored, now), kind)
    })
})
