import type { Reader } from '@postrider/contracts/services.ts'
import type { AuditAction } from '@postrider/domain/audit/actions.ts'
import { auditEntry } from '@postrider/domain/audit/entry.ts'
import type { StoredEmail } from '@postrider/domain/email/email.ts'
import { statusAt } from '@postrider/domain/email/status.ts'
import { isoTimeOrNull } from '@postrider/domain/time.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'

type EmailChange = {
  before: StoredEmail
  after: StoredEmail
  /** The decision of a person; absent: it was canceled. */
  as?: string
}

/** Returns the audit entry of a decision by a person or a key about an email. Sends have no entry. */
export const emailEntry = (
  { reader }: { reader: Pick<Reader, 'workspace' | 'actor' | 'operator' | 'clientAddress'> },
  action: AuditAction & `email.${string}`,
  { before, after, as }: EmailChange,
  at: number,
): AuditEntry => {
  const { workspace, actor, operator, clientAddress } = reader
  const by = { actor, ...(operator !== undefined && { operator }), clientAddress, at }
  return auditEntry(newId('aud'), by, {
    workspace,
    action,
    target: before.email.id,
    before: { status: statusAt(before, at), ...timesOf(action, before) },
    after: { status: statusAt(after, at), ...(as !== undefined && { as }), ...timesOf(action, after) },
  })
}

/** Returns the times that a change of `scheduled_at` moves. */
const timesOf = (action: string, { email: { scheduledAt, expiresAt } }: StoredEmail) =>
  action !== 'email.reschedule'
    ? {}
    : { scheduled_at: isoTimeOrNull(scheduledAt), ...(expiresAt !== null && { expires_at: isoTimeOrNull(expiresAt) }) }
