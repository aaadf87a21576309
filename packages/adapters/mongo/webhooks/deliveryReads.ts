import { jsonBytes, pageRoom } from '@postrider/domain/listPage.ts'
import { neverMs } from '@postrider/domain/time.ts'
import { type DeliveryStatus, deliveryStatuses, type WebhookDelivery } from '@postrider/domain/webhooks/delivery.ts'
import { lastSuccess, soughtSuccesses } from '@postrider/domain/webhooks/life.ts'
import type { WebhookDeliveryStore } from '@postrider/ports/webhookDeliveries.ts'
import type { Collection, Filter } from 'mongodb'
import { scalar } from '../client/scalar.ts'
import { claimedFields, claimedOf, type DeliveryDoc } from './deliveryDoc.ts'

/** Deliveries of a list that are read together: few milliseconds if they have long responses. */
const deliveriesPerRead = 10

/** Reads of deliveries: one, lists, and counts of what waits. */
export const deliveryReads = (
  deliveries: Collection<DeliveryDoc>,
): Pick<WebhookDeliveryStore, 'get' | 'list' | 'lastSuccessAt' | 'countWaiting' | 'backlog'> => {
  const newestOf = (filter: Filter<DeliveryDoc>, limit: number) =>
    deliveries
      .find(filter, { projection: { delivery: 1 } })
      .sort({ _id: -1 })
      .limit(limit)
      .toArray()
  const idsOf = async (filter: Filter<DeliveryDoc>, limit: number): Promise<string[]> => {
    const found = deliveries.find(filter, { projection: { _id: 1 } }).sort({ _id: -1 })
    return (await found.limit(limit).toArray()).map(({ _id }) => _id)
  }
  return {
    get: async (endpoint, id) => {
      const byId = { _id: scalar(id), endpoint: scalar(endpoint) }
      const found = await deliveries.findOne(byId, { projection: { ...claimedFields, leaseUntil: 1 } })
      return found && { ...claimedOf(found), leaseUntil: found.leaseUntil === 0 ? null : found.leaseUntil }
    },
    list: async ({ endpoint, before, limit, status }) => {
      // One index has the ids of a status in order. Deliveries may have long responses: only those of the page are
      // read.
      const statuses: readonly DeliveryStatus[] = status === null ? deliveryStatuses : [status]
      const earlier = before === null ? {} : { _id: { $lt: scalar(before) } }
      const pages = await Promise.all(
        statuses.map((one) => idsOf({ endpoint: scalar(endpoint), status: one, ...earlier }, limit + 1)),
      )
      const ids = pages.flat().sort((a, b) => (a < b ? 1 : -1))
      const room = pageRoom<WebhookDelivery>(limit)
      for (let [from, isFull] = [0, false]; from < ids.length && !isFull; from += deliveriesPerRead) {
        const some = await newestOf({ _id: { $in: ids.slice(from, from + deliveriesPerRead) } }, deliveriesPerRead)
        isFull = !some.every(({ delivery }) => room.add(delivery, jsonBytes(delivery)))
      }
      const { items, hasMore } = room.page()
      return { deliveries: items, hasMore }
    },
    lastSuccessAt: async (endpoint, withClock) => {
      const found = await newestOf({ endpoint: scalar(endpoint), status: 'delivered' }, soughtSuccesses)
      return lastSuccess(
        found.map(({ delivery }) => delivery),
        withClock,
      )
    },
    countWaiting: (endpoint, max) =>
      deliveries.countDocuments({ endpoint: scalar(endpoint), dueAt: { $lt: neverMs } }, { limit: max }),
    backlog: async (max) => {
      const [pending, oldest] = await Promise.all([
        deliveries.countDocuments({ dueAt: { $lt: neverMs } }, { limit: max }),
        deliveries.findOne({ dueAt: { $lt: neverMs } }, { projection: { _id: 0, dueAt: 1 }, sort: { dueAt: 1 } }),
      ])
      return { pending, oldestDueAt: oldest?.dueAt ?? null }
    },
  }
}
