import { setImmediate as nextIteration } from 'node:timers/promises'
import { noAuditFilter } from '@postrider/domain/audit/entry.ts'
import { withoutAddress } from '@postrider/domain/audit/redaction.ts'
import { addressKey } from '@postrider/mail/address.ts'
import type { Audit, AuditQuery } from '@postrider/ports/audit.ts'
import type { Erasure } from '@postrider/ports/erasures.ts'

/** Number of entries of one step: an entry may have 50 KiB. */
const stepLines = 50

/**
 * Removes an erased address from the audit log of its workspace. Texts of lines have no index, so all lines are read; people and
 * programs make few changes. It can be repeated.
 */
export const redactLog = async (
  audit: Pick<Audit, 'list' | 'redact'>,
  { id, workspace, address }: Erasure,
  at: number,
): Promise<void> => {
  const key = addressKey(address)
  for (let before: AuditQuery['before'] = null; ; ) {
    const lines = await audit.list({ ...noAuditFilter, workspace, before, limit: stepLines })
    for (const line of lines) {
      const changed = withoutAddress(line, (found) => addressKey(found) === key, { at, erasure: id })
      if (changed !== null) {
        await audit.redact({ ...changed, redactions: changed.redactions ?? [] })
        await nextIteration()
      }
    }
    const last = lines.at(-1)
    if (last === undefined || lines.length < stepLines) return
    before = last
    await nextIteration()
  }
}
