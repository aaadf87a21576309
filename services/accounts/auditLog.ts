import type { AuditList, ListAuditRequest, ShownAuditEntry } from '@postrider/contracts/services.ts'
import { actionMatch, actorMatch, actorOfEntry, forWorkspace } from '@postrider/domain/audit/entry.ts'
import { firstThatFit, jsonBytes } from '@postrider/domain/listPage.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import { type Deps, requirePermission } from './deps.ts'

const shownEntry = (entry: AuditEntry, names: ReadonlyMap<string, string>): ShownAuditEntry => {
  const { type, id } = actorOfEntry(entry)
  return {
    id: entry.id,
    workspace: entry.workspace,
    created_at: entry.at,
    actor_type: type,
    actor_id: id ?? '',
    actor_name: (id && names.get(id)) ?? '',
    action: entry.action,
    // Entries of release 0.1 about a workspace have no target.
    target: entry.target || entry.workspace,
    before: entry.before,
    after: entry.after,
    client_address: entry.clientAddress,
    ...(entry.redactions && { redactions: entry.redactions }),
  }
}

const userIds = 'usr_'

const maxPageSize = 100

/**
 * Returns a page of the audit log, newest first: of a workspace for its owners and admins, or of all for the operator.
 * @throws Fault `forbidden`: the user's role may not read it
 */
export const listAudit = async (deps: Deps, request: ListAuditRequest, signal?: AbortSignal): Promise<AuditList> => {
  const { user, workspace } = request
  if (user !== '') await requirePermission(deps, { workspace: workspace ?? '', user }, 'audit:read')
  const limit = Math.min(Math.max(request.limit, 1), maxPageSize)
  const query = {
    workspace: workspace ?? null,
    actor: request.actor === undefined ? null : actorMatch(request.actor),
    // The people of a workspace do not learn which operator acted.
    ...(user === '' && request.actor?.startsWith(userIds) && { orOperator: request.actor }),
    action: request.action === undefined ? null : actionMatch(request.action),
    createdAfter: request.created_after ?? null,
    createdBefore: request.created_before ?? null,
    before: request.before,
    limit: limit + 1,
  }
  const found = await deps.audit.list(query, signal)
  const shown = found.slice(0, limit).map((entry) => (user === '' ? entry : forWorkspace(entry)))
  const fitting = firstThatFit(shown, jsonBytes)
  const actors = new Set(fitting.flatMap((entry) => actorOfEntry(entry).id ?? []))
  const names = actors.size === 0 ? new Map<string, string>() : await deps.audit.actorNames([...actors])
  const last = fitting.at(-1)
  return {
    entries: fitting.map((entry) => shownEntry(entry, names)),
    has_more: found.length > fitting.length,
    last_position: last ? { at: last.at, id: last.id } : null,
  }
}
