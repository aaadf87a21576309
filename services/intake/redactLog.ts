import { setImmediate as nextIteration } from 'node:timers/promises'
import { noAuditFilter } from '@postrider/domain/audit/entry.ts'
import { withoutAddress } from '@postrider/domain/audit/redaction.ts'
import { addressKey } from '@postrider/mail/address.ts'
import type { Audit, AuditQuery } from '@postrider/ports/audit.ts'
import type { Erasure } from '@postrider/ports/erasures.ts'

/** Number of entries of one step: an entry may have 50 KiB. */
const stepEntries = 50

/**
 * Removes an erased address from the audit log of its workspace. Texts of entries have no index, so all entries are
 * read; people and programs make few changes. It can be repeated.
 */
export const redactLog = async (
  audit: Pick<Audit, 'list' | 'redact'>,
  { id, workspace, address }: Erasure,
  at: number,
): Promise<void> => {
  const key = addressKey(address)
  for (let before: AuditQuery['before'] = null; ; ) {
    const entries = await audit.list({ ...noAuditFilter, workspace, before, limit: stepEntries })
    for (const entry of entries) {
      const changed = withoutAddress(entry, (found) => addressKey(found) === key, { at, erasure: id })
      if (changed !== null) {
        await audit.redact({ ...changed, redactions: changed.redactions ?? [] })
        await nextIteration()
      }
    }
    const last = entries.at(-1)
    if (last === undefined || entries.length < stepEntries) return
    before = last
    await nextIteration()
  }
}
