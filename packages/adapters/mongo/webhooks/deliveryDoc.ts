import type { ClaimedDelivery, DeliveryStatus, WebhookDelivery } from '@postrider/domain/webhooks/delivery.ts'
import type { ObjectId } from 'mongodb'
import type { WithOutbox } from '../audit/outbox.ts'

/** A stored delivery. Only `delivery` has what the rules decide on; the other fields are those of the queue. */
export type DeliveryDoc = WithOutbox & {
  /** It sorts by the time of the event. */
  _id: string
  endpoint: string
  workspace: string
  status: DeliveryStatus
  /** When it may be claimed: at its next attempt, or when its lease ends. `neverMs`: it has ended. */
  dueAt: number
  /** 0: no lease. */
  leaseUntil: number
  fence: number
  /** Id of the last claim, while its lease may last. */
  claim: ObjectId | null
  delivery: WebhookDelivery
}

/** The fields of a delivery that claims and reads return. */
export const claimedFields = { delivery: 1, fence: 1 } as const

/** Returns a delivery with its fence. */
export const claimedOf = ({ delivery, fence }: Pick<DeliveryDoc, 'delivery' | 'fence'>): ClaimedDelivery => ({
  delivery,
  fence,
})
