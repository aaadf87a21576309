import { setImmediate as nextIteration } from 'node:timers/promises'
import { noAuditFilter } from '@postrider/domain/audit/entry.ts'
import { withoutAddress } from '@postrider/domain/audit/redaction.ts'
import { addressKey } from '@postrider/mail/address.ts'
import type { Audit, AuditQuery } from '@postrider/ports/audit.ts'
import type { StoredErasure } from '@postrider/ports/erasures.ts'

/** Number of entries of one step: an entry may have 50 KiB. */
const stepEntries = 50
/** Maximum number of entries of one round of the sweep. */
const maxEntries = 2_000

/**
 * Removes an erased address from the audit log of its workspace. Texts of entries have no index, so all entries are
 * read, a part of them in each round. It can be repeated.
 * @returns the position of the last entry that was read; null: all were read
 */
export const redactLog = async (
  audit: Pick<Audit, 'complete' | 'list' | 'redact'>,
  { id, workspace, address, logPosition }: StoredErasure,
  at: number,
): Promise<StoredErasure['logPosition'] | null> => {
  const key = addressKey(address)
  // An entry that is added later would have the address.
  if (logPosition === undefined) await audit.complete(workspace)
  let before: AuditQuery['before'] = logPosition ?? null
  for (let read = 0; read < maxEntries; read += stepEntries) {
    const entries = await audit.list({ ...noAuditFilter, workspace, before, limit: stepEntries })
    for (const entry of entries) {
      const changed = withoutAddress(entry, (found) => addressKey(found) === key, { at, erasure: id })
      if (changed !== null) {
        await audit.redact({ ...changed, redactions: changed.redactions ?? [] })
        await nextIteration()
      }
    }
    const last = entries.at(-1)
    if (last === undefined || entries.length < stepEntries) return null
    before = { at: last.at, id: last.id }
    await nextIteration()
  }
  return before
}
