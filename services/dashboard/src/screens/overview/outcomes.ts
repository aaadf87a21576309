import { openStatuses } from '@postrider/contracts/http/values.ts'
import type { RecipientCounts } from '../../api/stats.ts'

/**
 * Outcomes of recipients, from the bottom of the chart to its top. Each status of the API is in one outcome, so they
 * add up to what was accepted. A complaint follows a delivery.
 */
export const outcomes = [
  { name: 'delivered', label: 'Delivered', swatch: 'bg-chart-delivered', statuses: ['delivered', 'complained'] },
  {
    name: 'waiting',
    label: 'Waiting',
    swatch: 'bg-chart-waiting',
    statuses: openStatuses,
  },
  { name: 'bounced', label: 'Bounced', swatch: 'bg-chart-bounced', statuses: ['bounced'] },
  { name: 'failed', label: 'Failed', swatch: 'bg-chart-failed', statuses: ['failed'] },
  { name: 'suppressed', label: 'Suppressed', swatch: 'bg-chart-suppressed', statuses: ['suppressed'] },
  { name: 'canceled', label: 'Canceled', swatch: 'bg-chart-canceled', statuses: ['canceled'] },
] as const satisfies readonly {
  name: string
  label: string
  swatch: string
  statuses: readonly (keyof RecipientCounts & string)[]
}[]

export type Outcome = (typeof outcomes)[number]

/** Returns the recipients of an outcome. */
export const countOf = (counts: RecipientCounts, { statuses }: Pick<Outcome, 'statuses'>): number =>
  statuses.reduce((sum, status) => sum + counts[status], 0)

const delivered = (counts: RecipientCounts): number => countOf(counts, outcomes[0])

const percent = (part: number, whole: number): number | null => (whole === 0 ? null : (100 * part) / whole)

/** Returns the delivered recipients of all that were accepted, in percent; null: none was. */
export const deliveryRate = (counts: RecipientCounts, accepted: number): number | null =>
  percent(delivered(counts), accepted)

/** Returns the bounces of all that were delivered or bounced, in percent; null: there was neither. */
export const bounceRate = (counts: RecipientCounts): number | null =>
  percent(counts.bounced, delivered(counts) + counts.bounced)

/** Returns the complaints of all that were delivered, in percent; null: none was. */
export const complaintRate = (counts: RecipientCounts): number | null => percent(counts.complained, delivered(counts))
