import type { FeedPosition } from '@postrider/domain/events/event.ts'
import { jsonBytes, pageRoom } from '@postrider/domain/listPage.ts'
import type { StoredEndpoint, WebhookEndpoint } from '@postrider/domain/webhooks/endpoint.ts'
import type { WebhookEndpointStore } from '@postrider/ports/webhookEndpoints.ts'
import type { Collection, Db, ObjectId } from 'mongodb'
import { mongoOutbox, type Outbox, outboxIndex, untilUnchanged, type WithOutbox } from '../audit/outbox.ts'
import { claimChosen, noLease } from '../client/claimChosen.ts'
import type { Indexes } from '../client/connect.ts'
import { ignoreDuplicateKey, withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { secretIdsIn } from '../client/secretIds.ts'
import { slotIn } from '../client/slots.ts'

/**
 * A stored endpoint. Only `endpoint` has what the rules decide on; the other fields are those of guards and of the
 * scans.
 */
type EndpointDoc = WithOutbox & {
  _id: string
  endpoint: WebhookEndpoint
  /** One of the slots of the workspace. A unique index on them limits the number of endpoints. */
  slot: number
  rev: number
  cursor: FeedPosition | null
  scanAt: number
  /** 0: no lease. */
  leaseUntil: number
  fence: number
  /** Id of the last claim, while its lease may last. */
  claim: ObjectId | null
  /** Whether there is something to report. */
  hasNotices: boolean
}

export const webhookEndpointIndexes: Indexes = {
  webhook_endpoints: [
    // The limit of a workspace.
    { key: { 'endpoint.workspace': 1, slot: 1 }, unique: true },
    // Lists.
    { key: { 'endpoint.workspace': 1, _id: -1 } },
    // Enabled endpoints of a workspace, and all workspaces that have one.
    { key: { 'endpoint.enabled': 1, 'endpoint.workspace': 1 } },
    // The oldest due scans.
    { key: { scanAt: 1, leaseUntil: 1 } },
    // What is to be reported.
    { key: { hasNotices: 1 } },
    outboxIndex,
  ],
}

/** Returns what stands for a removed endpoint until its audit entry is moved; no query of this store finds it. */
const removedFields = (id: string) => ({ endpoint: { workspace: '' }, slot: id })

/** Creates the store of endpoints on MongoDB. Every change is one write of one document. */
export const mongoWebhookEndpoints = (db: Db): WebhookEndpointStore => {
  const endpoints = db.collection<EndpointDoc>('webhook_endpoints')
  const outbox = mongoOutbox(db)
  return withMappedErrors({
    insert: insert(endpoints, outbox),
    ...changes(endpoints, outbox),
    ...reads(endpoints),
    ...scans(endpoints),
  } satisfies WebhookEndpointStore)
}

const insert =
  (endpoints: Collection<EndpointDoc>, outbox: Outbox): WebhookEndpointStore['insert'] =>
  async (endpoint, max, audit) => {
    const { id, workspace } = endpoint
    return untilUnchanged(async () => {
      if (await endpoints.findOne({ _id: scalar(id) }, { projection: { _id: 1 } })) return 'inserted'
      const slot = await slotIn(endpoints, { 'endpoint.workspace': scalar(workspace) }, { max, id })
      if (slot === null) return 'full'
      const initial = { rev: 0, cursor: null, scanAt: endpoint.since, fence: 0, ...noLease }
      const doc = { _id: id, slot, ...fieldsOf(endpoint), ...initial }
      return (await ignoreDuplicateKey(() => outbox.insert(endpoints, doc, audit))) ? 'inserted' : undefined
    }, 'slot')
  }

const fieldsOf = (endpoint: WebhookEndpoint) => ({
  endpoint,
  hasNotices: endpoint.notices.length > 0,
})

const storedFields = { endpoint: 1, rev: 1 } as const
const storedOf = ({ endpoint, rev }: Pick<EndpointDoc, keyof typeof storedFields>): StoredEndpoint => ({
  endpoint,
  rev,
})

const changes = (
  endpoints: Collection<EndpointDoc>,
  outbox: Outbox,
): Pick<WebhookEndpointStore, 'write' | 'remove'> => ({
  write: async (id, rev, { endpoint, restart }, audit) => {
    const unchanged = { _id: scalar(id), rev: scalar(rev) }
    const restarted = restart ? { cursor: null, scanAt: endpoint.since, ...noLease } : {}
    const change = {
      $set: { ...fieldsOf(endpoint), ...restarted },
      $inc: { rev: 1, ...(restart && { fence: 1 }) },
    }
    if (audit.length === 0) return (await endpoints.updateOne(unchanged, change)).matchedCount === 1
    return (await outbox.update(endpoints, unchanged, change, audit, { projection: { _id: 1 } })) !== null
  },
  remove: (workspace, id, entry) =>
    untilUnchanged(async () => {
      const filter = { _id: scalar(id), 'endpoint.workspace': scalar(workspace) }
      const found = await endpoints.findOne(filter, { projection: storedFields })
      if (!found) return null
      const unchanged = { _id: scalar(id), rev: found.rev }
      return (await outbox.remove(endpoints, unchanged, entry(found.endpoint), removedFields(id)))?.endpoint
    }),
})

const reads = (
  endpoints: Collection<EndpointDoc>,
): Omit<
  WebhookEndpointStore,
  'insert' | 'write' | 'remove' | 'claimScans' | 'moveScan' | 'scanSoon' | 'clearScans'
> => ({
  get: async (workspace, id) => {
    const filter = { _id: scalar(id), 'endpoint.workspace': scalar(workspace) }
    const found = await endpoints.findOne(filter, { projection: storedFields })
    return found && storedOf(found)
  },
  list: async ({ workspace, mode, before, limit }) => {
    const filter = {
      'endpoint.workspace': scalar(workspace),
      ...(mode !== null && { 'endpoint.mode': scalar(mode) }),
      ...(before !== null && { _id: { $lt: scalar(before) } }),
    }
    const found = endpoints
      .find(filter, { projection: { endpoint: 1 } })
      .sort({ _id: -1 })
      .limit(limit + 1)
    const room = pageRoom<WebhookEndpoint>(limit)
    for await (const { endpoint } of found) if (!room.add(endpoint, jsonBytes(endpoint))) break
    const { items, hasMore } = room.page()
    return { endpoints: items, hasMore }
  },
  enabledOf: async (workspace) => {
    const filter = { 'endpoint.enabled': true, 'endpoint.workspace': scalar(workspace) }
    const found = await endpoints.find(filter, { projection: { endpoint: 1 } }).toArray()
    return found.map(({ endpoint }) => endpoint)
  },
  byIds: async (ids) =>
    (
      await endpoints.find({ _id: { $in: ids.map(scalar) }, rev: { $gte: 0 } }, { projection: storedFields }).toArray()
    ).map(storedOf),
  enabledWorkspaces: async () => {
    const found = endpoints.find(
      { 'endpoint.enabled': true },
      { projection: { _id: 0, 'endpoint.workspace': 1 }, batchSize: 10_000 },
    )
    const workspaces = new Set<string>()
    for await (const { endpoint } of found) workspaces.add(endpoint.workspace)
    return workspaces
  },
  withNotices: async (limit) =>
    (await endpoints.find({ hasNotices: true }, { projection: storedFields }).limit(limit).toArray()).map(storedOf),
  secretIds: () => secretIdsIn(endpoints, { field: 'endpoint.secrets', secretsOf: ({ endpoint }) => endpoint.secrets }),
  sealedByOthers: async (secretId, limit) => {
    const other = { $elemMatch: { 'sealed.secretId': { $exists: true, $ne: scalar(secretId) } } }
    const found = endpoints.find({ 'endpoint.secrets': other }, { projection: storedFields }).limit(limit)
    return (await found.toArray()).map(storedOf)
  },
  counts: async () => {
    const [enabled, disabled, failing] = await Promise.all([
      endpoints.countDocuments({ 'endpoint.enabled': true }),
      endpoints.countDocuments({ 'endpoint.enabled': false }),
      endpoints.countDocuments({ 'endpoint.enabled': true, 'endpoint.failingSince': { $gt: 0 } }),
    ])
    return { enabled, disabled, failing }
  },
})

const scans = (
  endpoints: Collection<EndpointDoc>,
): Pick<WebhookEndpointStore, 'claimScans' | 'moveScan' | 'scanSoon' | 'clearScans'> => ({
  claimScans: async ({ now, limit, leaseMs }) => {
    // The server reads a limit of 0 as none.
    if (limit < 1) return []
    const due = { scanAt: { $lte: now }, leaseUntil: { $lte: now }, 'endpoint.enabled': true }
    const oldest = await endpoints
      .find(due, { projection: { _id: 1 } })
      .sort({ scanAt: 1 })
      .limit(limit)
      .toArray()
    const chosen = oldest.map(({ _id }) => _id)
    const found = await claimChosen(endpoints, chosen, {
      fields: { endpoint: 1, cursor: 1, fence: 1, scanAt: 1 },
      lease: async ({ which, claim }) => {
        const lease = { $set: { leaseUntil: now + leaseMs, claim }, $inc: { fence: 1 } }
        return (await endpoints.updateMany({ _id: which, ...due }, lease)).modifiedCount
      },
    })
    return found.sort((a, b) => a.scanAt - b.scanAt).map(({ endpoint, cursor, fence }) => ({ endpoint, cursor, fence }))
  },
  moveScan: async (id, fence, { cursor, nextAt }) => {
    const mine = { _id: scalar(id), fence: scalar(fence), leaseUntil: { $gt: 0 } }
    const { matchedCount } = await endpoints.updateOne(mine, { $set: { cursor, scanAt: nextAt, ...noLease } })
    return matchedCount === 1
  },
  scanSoon: async (workspace, at) => {
    const later = { 'endpoint.enabled': true, 'endpoint.workspace': scalar(workspace), scanAt: { $gt: at } }
    await endpoints.updateMany(later, { $set: { scanAt: at } })
  },
  clearScans: async () => {
    await endpoints.updateMany({ leaseUntil: { $gt: 0 } }, { $set: noLease })
  },
})
