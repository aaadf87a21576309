import type { AuditAction } from '@postrider/domain/audit/actions.ts'
import { type AuditBy, auditEntry, auditedChange } from '@postrider/domain/audit/entry.ts'
import type { Billing } from '@postrider/domain/billing/account.ts'
import { allowanceAt } from '@postrider/domain/quota/plans.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { AuditEntry, EntryOf } from '@postrider/ports/audit.ts'

/** Whose billing is changed, by whom and when. */
type Origin = AuditBy & Pick<AuditEntry, 'workspace'>

/** Returns the entry of a change that only adds something. */
export const addedEntry = (
  origin: Origin,
  { action, target, after }: { action: AuditAction } & Pick<AuditEntry, 'target' | 'after'>,
): AuditEntry => auditEntry(newId('aud'), origin, { workspace: origin.workspace, action, target, after })

/** Returns the entry of a change of the plan, or of the plan that begins next month. */
export const planEntry =
  (
    origin: Origin,
    action: AuditAction,
    more: { target?: string; after?: AuditEntry['after'] } = {},
  ): EntryOf<Billing> =>
  (before, after) => {
    const change = auditedChange(before.allowance, after.allowance, (allowance) => {
      const { plan, pending } = allowanceAt(allowance, origin.at)
      return { plan, pending_plan: pending?.plan ?? null, changes_at: pending ? isoTime(pending.at) : null }
    })
    if (change === null && more.after === undefined) return null
    const shown = { before: change?.before ?? null, after: { ...change?.after, ...more.after } }
    const { workspace } = origin
    return auditEntry(newId('aud'), origin, { workspace, action, target: more.target ?? workspace, ...shown })
  }

/** Returns the entry of a change of an invoice's status. */
export const invoiceEntry = (
  origin: Origin,
  { id, number, to, reason }: { id: string; number: string; to: string; reason: string },
): AuditEntry =>
  auditEntry(newId('aud'), origin, {
    workspace: origin.workspace,
    action: 'invoice.update',
    target: id,
    before: { status: 'open' },
    after: { status: to, number, reason },
  })
