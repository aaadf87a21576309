import { linkPurposes, linkSubjects } from '@postrider/domain/accounts/links.ts'
import { neverMs } from '@postrider/domain/time.ts'
import type { WorkspaceErasure } from '@postrider/ports/workspaceErasure.ts'
import type { Db, Document, Filter } from 'mongodb'
import { accountCollections } from '../accounts/documents.ts'
import { billedOf, neverChecked } from '../billing/docs.ts'
import { insertEach, withoutRefusals } from '../client/bulkWrite.ts'
import type { Indexes } from '../client/connect.ts'
import { withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { removeBatches } from '../emails/batches.ts'
import { emailContents } from '../emails/contents.ts'
import { keysOfWorkspace } from '../idempotency.ts'

type Doc = Document & { _id: string }
type Step = (workspace: string, limit: number) => Promise<number>
type Part = { collection: string; of(workspace: string): Filter<Doc> }

/** A removed workspace; `nextAt` is 0 until it was checked. */
type RemovedDoc = { _id: string; nextAt: number }

export const removedWorkspaceIndexes: Indexes = { removed_workspaces: [{ key: { nextAt: 1 } }] }

const statsOf = (workspace: string) => ({ _id: { $gte: `${workspace} `, $lt: `${workspace}!` } })

/** Collections whose documents of a workspace a filter selects, in the order of removal. */
const parts: readonly Part[] = [
  { collection: 'erasures', of: (workspace) => ({ workspace }) },
  { collection: 'captured_mail', of: (workspace) => ({ workspace }) },
  { collection: 'templates', of: (workspace) => ({ workspace }) },
  { collection: 'template_versions', of: (workspace) => ({ workspace }) },
  { collection: 'template_lists', of: (workspace) => ({ _id: workspace }) },
  { collection: 'test_clocks', of: (workspace) => ({ _id: workspace }) },
  { collection: 'domains', of: (workspace) => ({ 'domain.workspace': workspace }) },
  { collection: 'workspace_events', of: (workspace) => ({ workspace }) },
  { collection: 'webhook_deliveries', of: (workspace) => ({ workspace }) },
  { collection: 'webhook_replays', of: (workspace) => ({ 'replay.workspace': workspace }) },
  { collection: 'webhook_endpoints', of: (workspace) => ({ 'endpoint.workspace': workspace }) },
  { collection: 'notification_groups', of: (workspace) => ({ workspace }) },
  { collection: 'outcome_days', of: (workspace) => ({ _id: { $gte: `${workspace} `, $lt: `${workspace}!` } }) },
  { collection: 'stats_positions', of: statsOf },
  { collection: 'stats_buckets', of: statsOf },
  { collection: 'reputations', of: (workspace) => ({ _id: workspace }) },
  { collection: 'idempotency_keys', of: keysOfWorkspace },
]

/** Collections whose documents are needed until the billing has ended, in the order of removal. */
const billedParts: readonly Part[] = [
  { collection: 'ledger_lines', of: (workspace) => ({ workspace }) },
  { collection: 'ledger_months', of: (workspace) => ({ _id: { $gte: `${workspace} `, $lt: `${workspace}!` } }) },
  { collection: 'payment_notices', of: (workspace) => ({ workspace }) },
  { collection: 'allowances', of: (workspace) => ({ _id: workspace }) },
]

type RemoveSome = (collection: string, filter: Filter<Doc>, limit: number) => Promise<number>

const someOf =
  (db: Db): RemoveSome =>
  async (collection, filter, limit) => {
    const documents = db.collection<Doc>(collection)
    const found = await documents
      .find(filter, { projection: { _id: 1 } })
      .limit(limit)
      .toArray()
    if (found.length === 0) return 0
    return (await documents.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } })).deletedCount
  }

/** Removes deleted workspaces from MongoDB, some documents of one collection in each call. */
export const mongoWorkspaceErasure = (db: Db): WorkspaceErasure => {
  const removeSome = someOf(db)
  const stepOf =
    ({ collection, of }: Part): Step =>
    (workspace, limit) =>
      removeSome(collection, of(workspace), limit)
  const removed = db.collection<RemovedDoc>('removed_workspaces')
  const isBilled = async (workspace: string): Promise<boolean> => {
    const open = { $or: [{ 'billing.dueAt': { $lt: neverMs } }, neverChecked] }
    return (await billedOf(db).findOne({ _id: workspace, ...open } as object, { projection: { _id: 1 } })) !== null
  }
  const steps: Step[] = [
    access(db),
    emails(db),
    (workspace, limit) => removeBatches(db, workspace, limit),
    ...parts.map(stepOf),
    ...billedParts.map(
      (part): Step =>
        async (workspace, limit) =>
          (await isBilled(workspace)) ? 0 : stepOf(part)(workspace, limit),
    ),
    texts(db),
    preferences(db),
    users(db),
    (workspace, limit) => removeSome('audit_log', { workspace }, limit),
    async (workspace) => {
      const { workspaces } = accountCollections(db)
      if ((await workspaces.findOne({ _id: workspace }, { projection: { _id: 1 } })) === null) return 0
      withoutRefusals(await insertEach(removed, [{ _id: workspace, nextAt: 0 }]))
      return (await workspaces.deleteOne({ _id: workspace })).deletedCount
    },
  ]
  return withMappedErrors({
    step: async (workspace: string, limit: number) => {
      for (const remove of steps) {
        const removed = await remove(scalar(workspace), limit)
        if (removed > 0) return removed
      }
      return 0
    },
    removed: async (now: number, limit: number) => {
      const due = removed.find({ nextAt: { $lte: now } }).sort({ nextAt: 1 })
      return (await due.limit(limit).toArray()).map(({ _id: id, nextAt }) => ({ id, isNew: nextAt === 0 }))
    },
    scheduleRecheck: async (workspace: string, at: number) => {
      await removed.updateOne({ _id: scalar(workspace) }, { $set: { nextAt: at } })
    },
    forget: async (workspace: string) => {
      if (await isBilled(scalar(workspace))) return false
      await removed.deleteOne({ _id: scalar(workspace) })
      return true
    },
  } satisfies WorkspaceErasure)
}

/** API keys, links of invitations, and sessions of the members in this workspace. */
const access = (db: Db): Step => {
  const { workspaces } = accountCollections(db)
  const removeSome = someOf(db)
  return async (workspace, limit) => {
    const found = await workspaces.findOne({ _id: workspace }, { projection: { members: 1 } })
    const members = (found?.members ?? []).map(({ user }) => user)
    const ended = await removeSome('sessions', { user: { $in: members }, workspace }, limit)
    const { from, below } = linkSubjects(workspace)
    const links = await removeLinks(db, { $gte: from, $lt: below })
    return ended + links + (await removeSome('api_keys', { workspace }, limit))
  }
}

/** Links about users or invitations. */
const removeLinks = async (db: Db, subject: { $in: string[] } | { $gte: string; $lt: string }): Promise<number> => {
  const about = { purpose: { $in: [...linkPurposes] }, subject }
  return (await db.collection('links').deleteMany(about)).deletedCount
}

/** Contents first: after a crash the remaining data is found by the records. */
const emails = (db: Db): Step => {
  const records = db.collection<Doc>('emails')
  const contents = emailContents(db)
  return async (workspace, limit) => {
    const found = await records
      .find({ workspace }, { projection: { _id: 1 } })
      .limit(limit)
      .toArray()
    if (found.length === 0) return 0
    const ids = found.map(({ _id }) => _id)
    await contents.removeAll(ids)
    return (await records.deleteMany({ _id: { $in: ids } })).deletedCount
  }
}

/** Texts that people wrote on invoices and corrections. */
const texts =
  (db: Db): Step =>
  async (workspace) => {
    const invoices = await db
      .collection('invoices')
      .updateMany({ workspace, reason: { $ne: '' } }, { $set: { reason: '' } })
    const lines = await db
      .collection('billing_lines')
      .updateMany(
        { workspace, kind: 'adjust', description: { $ne: 'Correction' } },
        { $set: { description: 'Correction' } },
      )
    return invoices.modifiedCount + lines.modifiedCount
  }

/** What members chose in the workspace. */
const preferences =
  (db: Db): Step =>
  async (workspace) => {
    const stored = db.collection<{ _id: string; choices: { scope: string }[] }>('notification_preferences')
    const removal = { $pull: { choices: { scope: workspace } }, $inc: { rev: 1 } }
    return (await stored.updateMany({ 'choices.scope': workspace }, removal)).modifiedCount
  }

/** Users who are members of no other workspace, with their sessions and links. */
const users = (db: Db): Step => {
  const { users: people, workspaces } = accountCollections(db)
  const removeSome = someOf(db)
  return async (workspace, limit) => {
    const found = await workspaces.findOne({ _id: workspace }, { projection: { members: 1 } })
    const members = (found?.members ?? []).map(({ user }) => user)
    const existing = await people.find({ _id: { $in: members } }, { projection: { _id: 1 } }).toArray()
    const ids = existing.map(({ _id }) => _id)
    const elsewhere = await workspaces
      .find({ 'members.user': { $in: ids }, _id: { $ne: workspace } }, { projection: { members: 1 } })
      .toArray()
    const kept = new Set(elsewhere.flatMap((other) => other.members.map(({ user }) => user)))
    const gone = ids.filter((id) => !kept.has(id)).slice(0, limit)
    if (gone.length === 0) return 0
    for (const collection of ['sessions', 'known_devices']) {
      const removed = await removeSome(collection, { user: { $in: gone } }, limit)
      if (removed > 0) return removed
    }
    await removeLinks(db, { $in: gone })
    await db.collection<Doc>('notification_preferences').deleteMany({ _id: { $in: gone } })
    return (await people.deleteMany({ _id: { $in: gone } })).deletedCount
  }
}
