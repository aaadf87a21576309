import { type AuditEntry, type AuditState, auditStateText } from '@postrider/domain/audit/entry.ts'
import { ObjectId } from 'mongodb'
import type { Indexes } from '../client/connect.ts'

/**
 * An entry as it waits in the outbox of a changed document. What was before and after is JSON, so that names of fields
 * cannot clash with operators.
 */
export type OutboxEntry = Omit<AuditEntry, 'before' | 'after'> & { before: string | null; after: string | null }

/** An entry in the log. */
export type EntryDoc = Omit<OutboxEntry, 'id'> & { _id: string }

/** An entry that a process of release 0.1 wrote. */
type FormerEntryDoc = Pick<AuditEntry, 'workspace' | 'at' | 'actor' | 'action' | 'target'> & {
  _id: ObjectId
  detail: AuditState
}

export type StoredEntryDoc = EntryDoc | FormerEntryDoc

export const auditIndexes: Indexes = {
  audit_log: [
    // Processes of release 0.1 create it.
    { key: { workspace: 1, at: 1 } },
    // Lists of a workspace, and those with a filter; lists of the operator.
    { key: { workspace: 1, at: 1, _id: 1 } },
    { key: { workspace: 1, actor: 1, at: 1, _id: 1 } },
    { key: { workspace: 1, action: 1, at: 1, _id: 1 } },
    { key: { at: 1, _id: 1 } },
  ],
}

const stateOf = (text: string | null): AuditState | null => (text === null ? null : (JSON.parse(text) as AuditState))

export const outboxEntryOf = ({ before, after, ...entry }: AuditEntry): OutboxEntry => ({
  ...entry,
  before: auditStateText(before),
  after: auditStateText(after),
})

export const docOf = ({ id: _id, ...entry }: OutboxEntry): EntryDoc => ({ _id, ...entry })

/**
 * The id of a former entry: its ObjectId behind zeros. An id that is generated begins with the time, so none is equal.
 */
const formerPrefix = 'aud_00'
const formerId = /^aud_00[0-9a-f]{24}$/

/** Returns the `_id` of an entry. */
export const keyOf = (id: string): string | ObjectId =>
  formerId.test(id) ? new ObjectId(id.slice(formerPrefix.length)) : id

export const entryOf = (doc: StoredEntryDoc): AuditEntry => {
  if ('detail' in doc) {
    const { _id, workspace, at, actor, action, target, detail } = doc
    const after = Object.keys(detail).length === 0 ? null : detail
    const id = `${formerPrefix}${_id.toHexString()}`
    return { id, workspace, at, actor, clientAddress: '', action, target, before: null, after }
  }
  const { _id, before, after, ...rest } = doc
  const id = typeof _id === 'string' ? _id : `${formerPrefix}${(_id as ObjectId).toHexString()}`
  return { id, ...rest, before: stateOf(before), after: stateOf(after) }
}
