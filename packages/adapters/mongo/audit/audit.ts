import type { TextMatch } from '@postrider/domain/audit/entry.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Audit, AuditQuery } from '@postrider/ports/audit.ts'
import type { Db, Filter } from 'mongodb'
import { accountCollections } from '../accounts/documents.ts'
import { insertEach, withoutRefusals } from '../client/bulkWrite.ts'
import { withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { docOf, entryOf, keyOf, type LineDoc, lineOf, type StoredLineDoc, textOf } from './document.ts'

/*
 * The audit log of a cluster:
 *
 * audit.ts     the log: events, lists
 * document.ts  the stored line and its indexes
 * outbox.ts    stores a change and its line in one write, and moves the line to the log
 * notices.ts   finds outboxes in collections with very many documents
 * sweep.ts     moves the lines that a crash left behind
 */

export { auditIndexes } from './document.ts'

/** Creates the audit log on MongoDB. */
export const mongoAudit = (db: Db): Audit => {
  const log = db.collection<LineDoc>('audit_log')
  return withMappedErrors({
    record: async (entry) => {
      withoutRefusals(await insertEach(log, [docOf(lineOf(entry))]))
    },
    redact: async ({ id, workspace, before, after, redactions }) => {
      const erasure = redactions.at(-1)?.erasure ?? ''
      const runs = { _id: scalar(erasure), workspace: scalar(workspace), completedAt: null }
      if ((await db.collection<{ _id: string }>('erasures').findOne(runs as object)) === null) {
        throw new Fault('internal', 'Lines of the audit log are never changed without an erasure.')
      }
      const changed = { before: textOf(before), after: textOf(after), redactions, clientAddress: '' }
      const stored = db.collection<StoredLineDoc>('audit_log')
      const line = { _id: keyOf(id), workspace } as Filter<StoredLineDoc>
      const isFormer = typeof keyOf(id) !== 'string'
      const { clientAddress: _, ...fields } = changed
      // A line of release 0.1 becomes one of this release.
      await stored.updateOne(line, isFormer ? { $set: changed, $unset: { detail: '' } } : { $set: fields })
    },
    list: async (query) => {
      const stored = db.collection<StoredLineDoc>('audit_log')
      const newestFirst = { at: -1, _id: -1 } as const
      return (await stored.find(filterOf(query)).sort(newestFirst).limit(query.limit).toArray()).map((doc) =>
        entryOf(doc as StoredLineDoc),
      )
    },
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

const matching = (match: TextMatch) =>
  'is' in match ? scalar(match.is) : { $gte: scalar(match.startsWith), $lt: `${match.startsWith}~` }

const actorFilter = (actor: TextMatch, orOperator: string | undefined) =>
  orOperator === undefined
    ? { actor: matching(actor) }
    : { $and: [{ $or: [{ actor: matching(actor) }, { operator: scalar(orOperator) }] }] }

const filterOf = (query: AuditQuery): Filter<StoredLineDoc> => {
  const { workspace, actor, orOperator, action, createdAfter, createdBefore, before } = query
  const at = {
    ...(createdAfter === null ? {} : { $gt: scalar(createdAfter) }),
    ...(createdBefore === null ? {} : { $lt: scalar(createdBefore) }),
    ...(before === null || (createdBefore !== null && createdBefore <= before.at) ? {} : { $lte: scalar(before.at) }),
  }
  return {
    ...(workspace === null ? {} : { workspace: scalar(workspace) }),
    ...(actor === null ? {} : actorFilter(actor, orOperator)),
    ...(action === null ? {} : { action: matching(action) }),
    ...(Object.keys(at).length === 0 ? {} : { at }),
    ...(before === null ? {} : { $or: olderThan(before) }),
  } as Filter<StoredLineDoc>
}

/** A comparison finds values of its own type only; texts sort before the ObjectIds of former lines. */
const olderThan = ({ at, id }: { at: number; id: string }): object[] => {
  const key = keyOf(id)
  const sameTime = [{ at, _id: { $lt: key } }, ...(typeof key === 'string' ? [] : [{ at, _id: { $gte: '' } }])]
  return [{ at: { $lt: at } }, ...sameTime]
}
