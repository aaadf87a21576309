import { type AuditBy, type AuditState, auditedChange, auditState } from '@postrider/domain/audit/entry.ts'
import { objectEntries } from '@postrider/domain/audit/objectEntries.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import type { StoredTemplate } from '@postrider/ports/templates.ts'

/** Fields that the audit log has. The bodies are in the versions. */
const shownFields = {
  id: false,
  workspace: false,
  name: true,
  alias: true,
  subject: true,
  htmlBody: false,
  textBody: false,
  variables: true,
  notices: false,
  version: true,
  createdAt: false,
  updatedAt: false,
} as const

const stateOf = (template: StoredTemplate): AuditState =>
  auditState<Required<StoredTemplate>>(template as Required<StoredTemplate>, shownFields)

const entries = objectEntries<'template', StoredTemplate>({
  noun: 'template',
  view: stateOf,
  newId: () => newId('aud'),
})

export const { created: createEntry, deleted: deleteEntry } = entries

/** The versions differ always, so a change of a body alone has an entry too. */
export const changeEntry = (
  before: StoredTemplate,
  after: StoredTemplate,
  by: AuditBy,
  action: 'update' | 'restore',
): AuditEntry => entries.of(after, by, action, auditedChange(before, after, stateOf) ?? undefined)
