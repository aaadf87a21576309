import type { AuditLine__Output } from '@postrider/contracts/gen/postrider/accounts/v1/AuditLine.ts'
import type { AuditList__Output } from '@postrider/contracts/gen/postrider/accounts/v1/AuditList.ts'
import type { ListAuditRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/ListAuditRequest.ts'
import {
  type AuditPosition,
  type AuditState,
  actionMatch,
  actorMatch,
  actorOfLine,
  forWorkspace,
} from '@postrider/domain/audit/entry.ts'
import { firstThatFit, jsonBytes } from '@postrider/domain/listPage.ts'
import { isoTime, timeOrNull } from '@postrider/domain/time.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { AuditEntry, Redaction } from '@postrider/ports/audit.ts'
import { type Deps, requirePermission } from './deps.ts'

const positionText = ({ at, id }: AuditPosition): string => `${at}.${id}`

/** The gateway signs positions, so only a bug sends another text. */
const readPosition = (text: string): AuditPosition | null => {
  if (text === '') return null
  const [at = '', id = ''] = text.split('.')
  if (!/^-?\d{1,16}$/.test(at) || id === '') throw new Fault('internal', 'This is not a position in the audit log.')
  return { at: Number(at), id }
}

const jsonOrEmpty = (state: AuditState | null): string => (state === null ? '' : JSON.stringify(state))

const redactionRecord = ({ at, erasure, fields }: Redaction) => ({ redacted_at: isoTime(at), erasure, fields })

const lineMessage = (entry: AuditEntry, names: ReadonlyMap<string, string>): AuditLine__Output => {
  const { type, id } = actorOfLine(entry)
  return {
    id: entry.id,
    workspace: entry.workspace,
    created_at: isoTime(entry.at),
    actor_type: type,
    actor_id: id ?? '',
    actor_name: (id && names.get(id)) ?? '',
    action: entry.action,
    // Lines of release 0.1 about a workspace have no target.
    target: entry.target || entry.workspace,
    before_json: jsonOrEmpty(entry.before),
    after_json: jsonOrEmpty(entry.after),
    client_address: entry.clientAddress,
    redactions_json: entry.redactions === undefined ? '' : JSON.stringify(entry.redactions.map(redactionRecord)),
  }
}

const userIds = 'usr_'

const largestPage = 100
/**
 * Returns a page of the audit log, newest first: of a workspace for its owners and admins, or of all for the operator.
 * @throws Fault `forbidden`: the user's role may not read it
 */
export const listAudit = async (
  deps: Deps,
  request: ListAuditRequest__Output,
  signal?: AbortSignal,
): Promise<AuditList__Output> => {
  const { user, workspace } = request
  if (user !== '') await requirePermission(deps, { workspace: workspace ?? '', user }, 'audit:read')
  const limit = Math.min(Math.max(request.limit, 1), largestPage)
  const query = {
    workspace: workspace ?? null,
    actor: request.actor === undefined ? null : actorMatch(request.actor),
    // The people of a workspace do not learn which operator acted.
    ...(user === '' && request.actor?.startsWith(userIds) && { orOperator: request.actor }),
    action: request.action === undefined ? null : actionMatch(request.action),
    createdAfter: timeOrNull(request.created_after),
    createdBefore: timeOrNull(request.created_before),
    before: readPosition(request.before),
    limit: limit + 1,
  }
  const found = await deps.audit.list(query, signal)
  const shown = found.slice(0, limit).map((entry) => (user === '' ? entry : forWorkspace(entry)))
  const fitting = firstThatFit(shown, jsonBytes)
  const actors = new Set(fitting.flatMap((entry) => actorOfLine(entry).id ?? []))
  const names = actors.size === 0 ? new Map<string, string>() : await deps.audit.actorNames([...actors])
  const last = fitting.at(-1)
  return {
    lines: fitting.map((entry) => lineMessage(entry, names)),
    has_more: found.length > fitting.length,
    last_position: last ? positionText(last) : '',
  }
}
