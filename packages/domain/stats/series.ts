import type { Steps } from '@postrider/mail/steps.ts'
import { lanes } from '../email/email.ts'
import { type RecipientStatus, recipientStatuses } from '../email/status.ts'
import { addCell, type Cell, type Dimension, emptyCell, otherGroup, type StatsBucket, wholeGroup } from './bucket.ts'
import { type Percentiles, percentilesOf } from './histogram.ts'
import { bucketMs, type StatsRange } from './range.ts'

/** Outcomes of the recipients of a group: each is counted in one status. */
export type GroupStats = {
  /** Null: all mail. */
  group: string | null
  accepted: number
  statuses: Record<RecipientStatus, number>
  firstAttempt: Percentiles
  delivery: Percentiles
}

/** `data` has a row for each bucket and group, also for those without mail. */
export type Series = { data: ({ at: number } & GroupStats)[]; totals: GroupStats[] }

/** Tags, and destinations, of a response: those with most recipients. The others are one group. */
const maxShown = 10

/**
 * Returns the time series of a range. Several buckets of a time are added: those of both modes. It pauses after each
 * bucket and each time: 170 times with 50 values would block for a fifth of a second.
 */
export function* seriesSteps(buckets: readonly StatsBucket[], by: Dimension, range: StatsRange): Steps<Series> {
  const all = new Map<string, Cell>()
  for (const { groups } of buckets) {
    for (const [value, cell] of groups[by] ?? []) addCell(cellIn(all, value), cell)
    yield
  }
  const shown = shownGroups(all, by)
  const nameOf = (value: string): string => (shown.includes(value) ? value : otherGroup)
  const rowsOf = (cells: ReadonlyMap<string, Cell>): GroupStats[] => {
    const merged = new Map<string, Cell>()
    for (const [value, cell] of cells) addCell(cellIn(merged, nameOf(value)), cell)
    return shown.map((group) => statsOf(group, merged.get(group) ?? emptyCell()))
  }
  const byTime = Map.groupBy(buckets, ({ at }) => at)
  const data: Series['data'] = []
  for (let { from: at } = range; at < range.to; at += bucketMs[range.bucket]) {
    const cells = new Map<string, Cell>()
    for (const { groups } of byTime.get(at) ?? [])
      for (const [value, cell] of groups[by] ?? []) addCell(cellIn(cells, value), cell)
    for (const row of rowsOf(cells)) data.push({ at, ...row })
    yield
  }
  return { data, totals: rowsOf(all) }
}

const cellIn = (cells: Map<string, Cell>, value: string): Cell => {
  const cell = cells.get(value) ?? emptyCell()
  cells.set(value, cell)
  return cell
}

const acceptedOf = ({ statuses }: Cell): number => statuses.values().reduce((sum, count) => sum + count, 0)

/** Groups with most recipients first; `other` last. */
const shownGroups = (all: ReadonlyMap<string, Cell>, by: Dimension): string[] => {
  if (by === 'status') return [wholeGroup]
  if (by === 'category') return [...lanes]
  const sorted = [...all]
    .filter(([value]) => value !== otherGroup)
    .toSorted(([a, one], [b, other]) => acceptedOf(other) - acceptedOf(one) || (a < b ? -1 : 1))
    .map(([value]) => value)
  const isMore = sorted.length > maxShown || all.has(otherGroup)
  return [...sorted.slice(0, maxShown), ...(isMore ? [otherGroup] : [])]
}

const statsOf = (group: string, cell: Cell): GroupStats => {
  // A count can only be below 0 if an event before it was stored too late for the feed; see `EventFeed`.
  const count = (status: RecipientStatus): number => Math.max(0, cell.statuses.get(status) ?? 0)
  const statuses = Object.fromEntries(recipientStatuses.map((status) => [status, count(status)]))
  return {
    group: group === wholeGroup ? null : group,
    accepted: Math.max(0, acceptedOf(cell)),
    statuses: statuses as Record<RecipientStatus, number>,
    firstAttempt: percentilesOf(cell.firstAttempt),
    delivery: percentilesOf(cell.delivery),
  }
}
