import assert from 'node:assert/strict'
import { assertCpuBelow } from '../../../test/support/cost.ts'
import type { AuditEntry } from './entry.ts'
import { withoutAddress } from './redaction.ts'

const entry = (over: Partial<AuditEntry> = {}): AuditEntry => ({
  id: 'aud_1',
  workspace: 'ws_1',
  at: 1_000,
  actor: 'usr_1',
  clientAddress: '192.0.2.1',
  action: 'user.change_email',
  target: 'usr_1',
  before: { email: 'ann@example.com' },
  after: { email: 'Ann@Example.com' },
  ...over,
})
const erased = (entry: AuditEntry) =>
  withoutAddress(entry, (address) => address.toLowerCase() === 'ann@example.com', { at: 5_000, erasure: 'era_1' })

describe('an entry of the audit log without a person', () => {
  // A text of 16,000 characters without an address took half a second.
  it('is made in a time that grows with the length of its texts', async () => {
    const text = 'a'.repeat(100_000)
    const texts = [text, `${text}@`, `@${text}`, `${'@'.repeat(50_000)}<`, `${text} ann@example.com`]
    await assertCpuBelow(500, () => {
      const after = erased(entry({ before: null, after: { texts } }))?.after?.['texts'] as string[]
      assert.deepEqual(after, [...texts.slice(0, -1), `${text} removed@removed.invalid`])
    })
  })

  it('names the fields in which the address was, and the erasure', () => {
    assert.deepEqual(erased(entry()), {
      ...entry(),
      before: { email: 'removed@removed.invalid' },
      after: { email: 'removed@removed.invalid' },
      redactions: [{ at: 5_000, erasure: 'era_1', fields: ['before.email', 'after.email'] }],
    })
  })

  it('has the other addresses, even those in the same list and text', () => {
    const after = {
      recipients: ['bob@example.com', 'ann@example.com'],
      sender: { name: 'Ann <ann@example.com>, Joanna <joann@example.com>' },
      many: 3,
      none: null,
    }
    assert.deepEqual(erased(entry({ before: null, after }))?.after, {
      recipients: ['bob@example.com', 'removed@removed.invalid'],
      sender: { name: 'Ann <removed@removed.invalid>, Joanna <joann@example.com>' },
      many: 3,
      none: null,
    })
  })

  it('is not written again without the address', () => {
    for (const email of ['joann@example.com', 'ann@example.com.example', 'removed@removed.invalid', 'ann'])
      assert.equal(erased(entry({ before: { email }, after: null })), null, email)
  })

  it('an erasure leaves the earlier redactions of an audit entry', () => {
    const earlier = { at: 1, erasure: 'era_0', fields: ['after.name'] }
    assert.deepEqual(
      erased(entry({ redactions: [earlier] }))?.redactions?.map(({ erasure }) => erasure),
      ['era_0', 'era_1'],
    )
  })
})
