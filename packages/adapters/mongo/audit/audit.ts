import { auditStateText } from '@postrider/domain/audit/entry.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { Db, Filter } from 'mongodb'
import { accountCollections } from '../accounts/documents.ts'
import { insertEach, withoutRefusals } from '../client/bulkWrite.ts'
import { withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { docOf, type EntryDoc, keyOf, outboxEntryOf, type StoredEntryDoc } from './document.ts'
import { listAuditEntries } from './list.ts'
import { copyWaiting } from './waiting.ts'

/*
 * The audit log of a cluster:
 *
 * audit.ts     the log
 * list.ts      finds the entries of a list
 * document.ts  the stored entry and its indexes
 * outbox.ts    stores a change and its entry in one write, and moves the entry to the log
 * notices.ts   finds outboxes in collections with very many documents
 * waiting.ts   copies the entries of a workspace that wait in outboxes
 * sweep.ts     moves the entries that a crash left behind
 */

export { auditIndexes } from './document.ts'

/**
 * Creates the audit log on MongoDB.
 * @param chunkEntries entries that one query of a list examines
 */
export const mongoAudit = (db: Db, chunkEntries = 2_000): Audit => {
  const log = db.collection<EntryDoc>('audit_log')
  return withMappedErrors({
    record: async (entry) => {
      withoutRefusals(await insertEach(log, [docOf(outboxEntryOf(entry))]))
    },
    redact: async ({ id, workspace, before, after, redactions }) => {
      const erasure = redactions.at(-1)?.erasure ?? ''
      const runs = { _id: scalar(erasure), workspace: scalar(workspace), completedAt: null }
      if ((await db.collection<{ _id: string }>('erasures').findOne(runs as object)) === null) {
        throw new Error('audit entries are never changed without an erasure')
      }
      const changed = { before: auditStateText(before), after: auditStateText(after), redactions, clientAddress: '' }
      const stored = db.collection<StoredEntryDoc>('audit_log')
      const entry = { _id: keyOf(id), workspace } as Filter<StoredEntryDoc>
      const isFormer = typeof keyOf(id) !== 'string'
      const { clientAddress: _, ...fields } = changed
      // An entry of release 0.1 becomes one of this release.
      await stored.updateOne(entry, isFormer ? { $set: changed, $unset: { detail: '' } } : { $set: fields })
    },
    complete: (workspace) => copyWaiting(db, scalar(workspace)),
    list: (query, signal) =>
      listAuditEntries(db.collection<StoredEntryDoc>('audit_log'), query, { chunkEntries, signal }),
    actorNames: async (ids) => {
      const { users, keys } = accountCollections(db)
      const of = { _id: { $in: ids.map(scalar) } }
      const [people, machines] = await Promise.all([
        users.find(of, { projection: { email: 1 } }).toArray(),
        keys.find(of, { projection: { name: 1 } }).toArray(),
      ])
      const named = [...people.map(({ _id, email }) => [_id, email]), ...machines.map(({ _id, name }) => [_id, name])]
      return new Map(named as [string, string][])
    },
  } satisfies Audit)
}
