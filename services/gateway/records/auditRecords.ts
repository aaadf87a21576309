import type { AuditRecord } from '@postrider/contracts/http/audit.ts'
import type { RecordOf } from '@postrider/contracts/http/schema.ts'
import type { AuditLine } from '@postrider/contracts/services.ts'
import type { Redaction } from '@postrider/domain/audit/entry.ts'
import { isoTime } from '@postrider/domain/time.ts'

const redactionRecord = ({ at, erasure, fields }: Redaction) => ({
  redacted_at: isoTime(at),
  erasure,
  fields: [...fields],
})

/** An entry of the audit log. */
export const auditRecord = (line: AuditLine) => {
  const { actor_type: type, actor_id: id, actor_name: name } = line
  return {
    object: 'audit_entry',
    id: line.id,
    created_at: isoTime(line.created_at),
    actor: {
      type,
      id: id || null,
      email: (type !== 'key' && name) || null,
      name: (type === 'key' && name) || null,
    },
    action: line.action,
    target: line.target || null,
    before: line.before,
    after: line.after,
    client_address: line.client_address || null,
    ...(line.redactions && { redactions: line.redactions.map(redactionRecord) }),
  } satisfies RecordOf<typeof AuditRecord>
}
