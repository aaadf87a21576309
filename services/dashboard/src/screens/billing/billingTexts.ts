import type { Invoice, Plan } from '../../api/billing.ts'
import type { StateLabel } from '../../ui/Badge.tsx'
import { dayMs } from '../../ui/times.ts'
import { count } from '../overview/figures.ts'
import { usd } from './money.ts'

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/**
 * Returns a day of UTC: `1 December`. Billing counts in days and months of UTC, even where the viewer's zone is
 * another.
 */
export const dayText = (at: string | number): string => dayFormat.format(new Date(at))

/** Returns a day of UTC with its year: `1 Dec 2026`. */
export const dateText = (at: string | number): string => dayOfYear.format(new Date(at))

/** Returns a month of UTC: `November 2026`. */
export const monthText = (at: string): string => monthFormat.format(new Date(at))

/** Returns the first and last day of a period, whose end is the first moment after it: `1–30 Nov 2026`. */
export const periodText = ({ start, end }: Invoice['period']): string =>
  dayOfYear.formatRange(Date.parse(start), Date.parse(end) - dayMs)

/** Returns the price of a month. */
export const priceText = ({ price_usd }: Pick<Plan, 'price_usd'>): string =>
  Number(price_usd) === 0 ? 'No charge' : `${usd(price_usd)} a month`

/** Returns a limit of sends. */
export const limitText = (limit: number | null): string => (limit === null ? 'No limit' : count(limit))

/** Returns what happens beyond the sends of a month. */
export const beyondText = ({ monthly, overage }: Pick<Plan, 'monthly' | 'overage'>): string => {
  if (monthly === null) return '–'
  return overage === null ? 'Refused' : `${usd(overage.price_usd)} for each started ${count(overage.per)}`
}

export const invoiceLabels: Readonly<Record<Invoice['status'], StateLabel>> = {
  open: { label: 'Open', tone: 'warn' },
  paid: { label: 'Paid', tone: 'good' },
  void: { label: 'Void', tone: 'idle' },
}
