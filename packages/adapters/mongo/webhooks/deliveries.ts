import { neverMs } from '@postrider/domain/time.ts'
import { byDue, deliveryIdFrom, endOfDelivery, type WebhookDelivery } from '@postrider/domain/webhooks/delivery.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import type { NewDelivery, WebhookDeliveryStore } from '@postrider/ports/webhookDeliveries.ts'
import type { Collection, Db, Filter } from 'mongodb'
import { withAuditNotice } from '../audit/notices.ts'
import { mongoOutbox, untilUnchanged } from '../audit/outbox.ts'
import { insertEach, updateEach, withoutRefusals } from '../client/bulkWrite.ts'
import { claimChosen, noLease } from '../client/claimChosen.ts'
import type { Indexes } from '../client/connect.ts'
import { ignoreDuplicateKey, withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { webhookClocks } from './clocks.ts'
import { claimedFields, claimedOf, type DeliveryDoc } from './deliveryDoc.ts'
import { deliveryReads } from './deliveryReads.ts'

export const webhookDeliveryIndexes: Indexes = {
  webhook_deliveries: [
    // Due deliveries of an endpoint, and the endpoints that have any: the index has all that this search reads.
    { key: { endpoint: 1, dueAt: 1, workspace: 1 } },
    // The next due delivery, and the backlog.
    { key: { dueAt: 1 } },
    // Lists, by status.
    { key: { endpoint: 1, status: 1, _id: -1 } },
    // Erasure.
    { key: { workspace: 1 } },
  ],
}

const collectionName = 'webhook_deliveries'

/** Creates the store of deliveries on MongoDB. Every change is one write of one document. */
export const mongoWebhookDeliveries = (db: Db): WebhookDeliveryStore => {
  const deliveries = db.collection<DeliveryDoc>(collectionName)
  return withMappedErrors({
    ...queue(deliveries),
    ...requested(db, deliveries),
    ...leases(deliveries),
    ...webhookClocks(deliveries),
    ...deliveryReads(deliveries),
    ...removals(deliveries),
  } satisfies WebhookDeliveryStore)
}

const docOf = ({ delivery, leaseUntil }: NewDelivery): DeliveryDoc => ({
  _id: delivery.id,
  endpoint: delivery.endpoint,
  workspace: delivery.workspace,
  status: delivery.status,
  dueAt: leaseUntil ?? delivery.nextAt ?? neverMs,
  leaseUntil: leaseUntil ?? 0,
  fence: 1,
  claim: null,
  delivery,
})

const queue = (
  deliveries: Collection<DeliveryDoc>,
): Pick<WebhookDeliveryStore, 'insert' | 'waiting' | 'claim' | 'nextDue' | 'cancel'> => ({
  insert: async (added) => {
    const docs = added.map(docOf)
    const results = withoutRefusals(await insertEach(deliveries, docs))
    return new Map(docs.flatMap(({ _id }, index) => (results[index] ? [[_id, 1] as const] : [])))
  },
  waiting: async (after, limit) => {
    const found = []
    for (let last = after; found.length < limit; ) {
      const next = await deliveries.findOne(
        { endpoint: { $gt: scalar(last) }, dueAt: { $lt: neverMs } },
        { projection: { _id: 0, endpoint: 1, workspace: 1, dueAt: 1 }, sort: { endpoint: 1, dueAt: 1 } },
      )
      if (!next) break
      last = next.endpoint
      found.push({ endpoint: last, workspace: next.workspace, dueAt: next.dueAt })
    }
    return found
  },
  claim: async ({ now, leaseMs, parts }) => {
    const oldest = async ({ endpoint, limit }: (typeof parts)[number]): Promise<string[]> => {
      // The server reads a limit of 0 as none.
      if (limit < 1) return []
      const due = { endpoint: scalar(endpoint), dueAt: { $lte: now } }
      const found = deliveries
        .find(due, { projection: { _id: 1 } })
        .sort({ dueAt: 1 })
        .limit(limit)
      return (await found.toArray()).map(({ _id }) => _id)
    }
    const chosen = (await Promise.all(parts.map(oldest))).flat()
    const claimed = await claimChosen(deliveries, chosen, {
      fields: claimedFields,
      lease: async ({ which, claim }) => {
        const lease = { $set: { dueAt: now + leaseMs, leaseUntil: now + leaseMs, claim }, $inc: { fence: 1 } }
        return (await deliveries.updateMany({ _id: which, dueAt: { $lte: now } }, lease)).modifiedCount
      },
    })
    return claimed.map(claimedOf).sort(byDue)
  },
  nextDue: async () => {
    const waiting = { dueAt: { $lt: neverMs } }
    return (await deliveries.findOne(waiting, { projection: { _id: 0, dueAt: 1 }, sort: { dueAt: 1 } }))?.dueAt ?? null
  },
  cancel: async (endpoint, now, limit) => {
    const free = { leaseUntil: { $lte: now }, 'delivery.isTest': false }
    const waiting = { endpoint: scalar(endpoint), dueAt: { $lt: neverMs }, ...free }
    const found = await deliveries
      .find(waiting, { projection: { _id: 1 } })
      .limit(limit)
      .toArray()
    if (found.length === 0) return 0
    const end = endOfDelivery('endpoint_disabled', now)
    const ended = Object.fromEntries(Object.entries(end).map(([name, value]) => [`delivery.${name}`, value]))
    const update = { $set: { status: end.status, dueAt: neverMs, ...noLease, ...ended }, $inc: { fence: 1 } }
    return (await deliveries.updateMany({ _id: { $in: found.map(({ _id }) => _id) }, ...waiting }, update))
      .modifiedCount
  },
})

/** What people request. Its audit entry is stored with the delivery. */
const requested = (
  db: Db,
  deliveries: Collection<DeliveryDoc>,
): Pick<WebhookDeliveryStore, 'insertRequested' | 'changeRequested'> => {
  const outbox = mongoOutbox(db)
  const noticed = (id: string, audit: AuditEntry, change: () => Promise<boolean>) =>
    withAuditNotice(db, { collection: collectionName, document: id }, audit, change)
  return {
    insertRequested: async (delivery, audit) => {
      await noticed(delivery.id, audit, async () => {
        await ignoreDuplicateKey(() => outbox.insert(deliveries, docOf({ delivery, leaseUntil: null }), audit))
        return true
      })
    },
    changeRequested: async ({ endpoint, id, now }, change, audit) => {
      let after: WebhookDelivery | null = null
      const changed = (): Promise<boolean> =>
        untilUnchanged(async () => {
          const free = { _id: scalar(id), endpoint: scalar(endpoint), leaseUntil: { $lte: now } }
          const found = await deliveries.findOne(free, { projection: claimedFields })
          if (found === null) return false
          after = change(found.delivery)
          const { status, nextAt } = after
          const update = {
            $set: { delivery: after, status, dueAt: nextAt ?? neverMs, ...noLease },
            $inc: { fence: 1 },
          }
          const same = { ...free, fence: found.fence }
          const written = await outbox.update(deliveries, same, update, [audit], { projection: { _id: 1 } })
          return written === null ? undefined : true
        })
      return (await noticed(id, audit, changed)) ? after : null
    },
  }
}

const withLease = { leaseUntil: { $gt: 0 } } as const

/** Leases of a `clearLeases` in one command. */
const leasesPerCommand = 1_000

const leases = (
  deliveries: Collection<DeliveryDoc>,
): Pick<WebhookDeliveryStore, 'claimOne' | 'write' | 'release' | 'clearLeases'> => {
  /** An update cannot copy one field to another, so `nextAt` is read first, and the fence guards the update. */
  const end = async (leased: readonly Pick<DeliveryDoc, '_id' | 'fence' | 'delivery'>[]): Promise<void> => {
    const updates = leased.map(({ _id, fence, delivery }) => ({
      filter: { _id, fence, ...withLease },
      update: { $set: { dueAt: delivery.nextAt ?? neverMs, ...noLease } },
    }))
    withoutRefusals(await updateEach(deliveries, updates))
  }
  const endingFields = { fence: 1, 'delivery.nextAt': 1 } as const
  return {
    claimOne: async (endpoint, id, now, leaseMs) => {
      const free = { _id: scalar(id), endpoint: scalar(endpoint), leaseUntil: { $lte: now } }
      // Without the id of an earlier claim, which would return this lease to its caller.
      const lease = { $set: { dueAt: now + leaseMs, leaseUntil: now + leaseMs, claim: null }, $inc: { fence: 1 } }
      const found = await deliveries.findOneAndUpdate(free, lease, {
        returnDocument: 'after',
        projection: claimedFields,
      })
      return found && claimedOf(found)
    },
    write: async (id, fence, delivery) => {
      const mine = { _id: scalar(id), fence: scalar(fence), ...withLease }
      const { status, nextAt } = delivery
      const change = { $set: { delivery, status, dueAt: nextAt ?? neverMs, ...noLease } }
      return (await deliveries.updateOne(mine, change)).matchedCount === 1
    },
    release: async (leased) => {
      if (leased.length === 0) return
      const fences = new Map(leased.map(({ id, fence }) => [id, fence]))
      const filter = { _id: { $in: [...fences.keys()] }, ...withLease }
      const found = await deliveries.find(filter, { projection: endingFields }).toArray()
      await end(found.filter(({ _id, fence }) => fences.get(_id) === fence))
    },
    clearLeases: async () => {
      for (;;) {
        const found = await deliveries.find(withLease, { projection: endingFields }).limit(leasesPerCommand).toArray()
        if (found.length === 0) return
        await end(found)
      }
    },
  }
}

const removals = (
  deliveries: Collection<DeliveryDoc>,
): Pick<WebhookDeliveryStore, 'removeBefore' | 'removeOf' | 'forgetResponses' | 'endpointAfter'> => {
  const remove = async (filter: Filter<DeliveryDoc>, limit: number): Promise<number> => {
    const found = await deliveries
      .find(filter, { projection: { _id: 1 } })
      .limit(limit)
      .toArray()
    if (found.length === 0) return 0
    return (await deliveries.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } })).deletedCount
  }
  return {
    removeBefore: (eventAt, limit) => remove({ _id: { $lt: deliveryIdFrom(eventAt) } }, limit),
    removeOf: (endpoint, limit) => remove({ endpoint: scalar(endpoint) }, limit),
    forgetResponses: async (ids) => {
      const withAttempts = (exist: boolean) => ({
        _id: { $in: ids.map(scalar) },
        'delivery.attempts.0': { $exists: exist },
      })
      const $inc = { fence: 1 }
      // First, so that the first attempt of a delivery is not stored between the two writes.
      await deliveries.updateMany(withAttempts(false), { $inc })
      await deliveries.updateMany(withAttempts(true), { $set: { 'delivery.attempts.$[].response': null }, $inc })
    },
    endpointAfter: async (endpoint) =>
      (
        await deliveries.findOne(
          { endpoint: { $gt: scalar(endpoint) } },
          { projection: { _id: 0, endpoint: 1 }, sort: { endpoint: 1 } },
        )
      )?.endpoint ?? null,
  }
}
