import type { AuditVerb } from '@postrider/domain/audit/actions.ts'
import { type AuditBy, type AuditState, auditEntry, auditedChange, auditState } from '@postrider/domain/audit/entry.ts'
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

const lineOf = (
  { id: target, workspace }: StoredTemplate,
  by: AuditBy,
  verb: AuditVerb<'template'>,
  change: Pick<AuditEntry, 'before' | 'after'>,
): AuditEntry => auditEntry(newId('aud'), by, { workspace, action: `template.${verb}`, target, ...change })

export const createLine = (template: StoredTemplate, by: AuditBy): AuditEntry =>
  lineOf(template, by, 'create', { before: null, after: stateOf(template) })

export const deleteLine = (template: StoredTemplate, by: AuditBy): AuditEntry =>
  lineOf(template, by, 'delete', { before: stateOf(template), after: null })

/** The versions differ always, so a change of a body alone has a line too. */
export const changeLine = (
  before: StoredTemplate,
  after: StoredTemplate,
  by: AuditBy,
  action: 'update' | 'restore',
): AuditEntry => {
  const change = auditedChange(before, after, stateOf)
  return lineOf(after, by, action, change ?? { before: null, after: null })
}
