import { neverMs } from '@postrider/domain/time.ts'
import type { WebhookDeliveryStore } from '@postrider/ports/webhookDeliveries.ts'
import type { Collection } from 'mongodb'
import { noLease } from '../client/claimChosen.ts'
import { scalar } from '../client/scalar.ts'
import type { DeliveryDoc } from './deliveryDoc.ts'

/** Deliveries of test mode for a move of their clock. */
export const webhookClocks = (
  deliveries: Collection<DeliveryDoc>,
): Pick<WebhookDeliveryStore, 'behindClock' | 'follow' | 'dueTests'> => {
  const ofTestMode = (endpoints: readonly string[]) => ({
    endpoint: { $in: endpoints.map(scalar) },
    'delivery.mode': 'test' as const,
  })
  return {
    behindClock: async ({ endpoints, offset, now, limit }) => {
      if (offset === 0) return []
      const behindOffset = { $not: { $gte: offset } }
      const query = { ...ofTestMode(endpoints), dueAt: { $lt: neverMs }, leaseUntil: { $lte: now } }
      const found = deliveries.find({ ...query, 'delivery.clockOffset': behindOffset } as object, {
        projection: { delivery: 1, fence: 1 },
      })
      return (await found.limit(limit).toArray()).map(({ delivery, fence }) => ({ delivery, fence }))
    },
    follow: async (id, fence, delivery, now) => {
      const free = { _id: scalar(id), fence: scalar(fence), dueAt: { $lt: neverMs }, leaseUntil: { $lte: now } }
      const $set = { delivery, dueAt: delivery.nextAt ?? neverMs, ...noLease }
      return (await deliveries.updateOne(free, { $set, $inc: { fence: 1 } })).matchedCount === 1
    },
    dueTests: ({ endpoints, now, max }) => {
      const due = { dueAt: { $lt: neverMs }, $or: [{ dueAt: { $lte: now } }, { leaseUntil: { $gt: now } }] }
      return deliveries.countDocuments({ ...ofTestMode(endpoints), ...due }, { limit: max })
    },
  }
}
