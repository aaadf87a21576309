import { dayMs, hourMs, neverMs } from '../time.ts'

/**
 * State of the collection of the open invoices of a customer with a saved card: the card is charged without its owner.
 * If that fails, the owners get a page where they pay, and the card is charged again on the next days. An invoice has
 * one method of payment at a time: its payment page is closed before the card is charged, and none is opened during a
 * charge, so it is not paid twice.
 */
export type Collection = {
  invoice: string
  amountCents: number
  /** Tries that failed. */
  failures: number
  /** When the card is charged next. */
  nextAt: number
  /** A charge or a payment is under way, and its result is not stored: no page begins. */
  isCharging: boolean
  /** The payment at the provider, which all tries of the invoice share; null: none yet. */
  payment: string | null
  /** Where an owner pays; null: there is no such page. */
  page: PaymentPage | null
}

export type PaymentPage = { session: string; url: string; until: number }

/** A payment page that works for less than this is replaced by a new one. */
export const minPageMs = 60_000

/** Reason why a card was not charged. */
export type ChargeFailure = 'declined' | 'authentication' | 'no_payment_method'

/** Data of the email to owners about a charge that failed. `nextAt` null: the card is not charged again. */
export type PaymentNotice = {
  /** `<invoice>/<n>`: the same failure always has the same id. */
  id: string
  workspace: string
  invoice: string
  number: string
  amountCents: number
  at: number
  reason: ChargeFailure
  page: Pick<PaymentPage, 'url' | 'until'> | null
  nextAt: number | null
}

/** The card is charged immediately, and then once a day: four times in all. */
const maxCharges = 4
/** Time for which a page for an invoice works: it ends before the card is charged again. */
export const noticePageMs = 23 * hourMs

export const newCollection = (invoice: string, amountCents: number, at: number): Collection => ({
  invoice,
  amountCents,
  failures: 0,
  nextAt: at,
  isCharging: false,
  payment: null,
  page: null,
})

/** Returns whether a collection is as it was read, so that a decision on it still applies. */
export const isAsRead = (collection: Collection, read: Collection): boolean =>
  collection.failures === read.failures &&
  collection.page?.session === read.page?.session &&
  collection.payment === read.payment &&
  collection.nextAt === read.nextAt

/** Returns the state while the card is charged: no page is open. */
export const charging = (collection: Collection, payment: string): Collection => ({
  ...collection,
  payment,
  page: null,
  isCharging: true,
})

/** Returns the state after a charge that takes days, or while another payment is about to be reported. */
export const waiting = (collection: Collection, now: number): Collection => ({
  ...collection,
  isCharging: true,
  nextAt: now + dayMs,
})

/** Returns the state after a charge that failed. @param page where owners pay now */
export const afterFailedCharge = (collection: Collection, page: PaymentPage | null, now: number): Collection => {
  const failures = collection.failures + 1
  return { ...collection, failures, page, isCharging: false, nextAt: failures < maxCharges ? now + dayMs : neverMs }
}

/** Returns the state of an invoice that the provider does not charge. */
export const withoutCharges = (collection: Collection): Collection => ({
  ...collection,
  isCharging: false,
  nextAt: neverMs,
})

/** Returns the state after a page ended without a payment. */
export const withoutPage = (collection: Collection): Collection => ({ ...collection, page: null, isCharging: false })
