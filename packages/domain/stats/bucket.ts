import { domainOf } from '@postrider/mail/address.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import type { Email, Mode } from '../email/email.ts'
import type { RecipientStatus } from '../email/status.ts'
import { removedAddress } from '../retention/purge.ts'
import { addCounts, type Histogram, intervalOf } from './histogram.ts'
import { changesOf, type OutcomeChange } from './outcomes.ts'
import { type BucketSize, startOfBucket } from './range.ts'

/** Dimensions by which recipients are grouped. `status`: all are one group. */
export const dimensions = ['status', 'category', 'tag', 'destination'] as const
export type Dimension = (typeof dimensions)[number]

/** Counts of recipients by their status, and their latencies. */
export type Cell = { statuses: Map<RecipientStatus, number>; firstAttempt: Histogram; delivery: Histogram }

/** Counts by value of the dimension. */
export type Groups = Map<string, Cell>

/** The mail that a workspace's mode accepted in one hour or day (UTC): what became of each recipient up to a time. */
export type StatsBucket = BucketKey & {
  workspace: string
  mode: Mode
  /** Events up to this time are counted, and no later ones. It grows with each write. */
  upTo: number
  /** Dimensions that were not read are absent. */
  groups: Partial<Record<Dimension, Groups>>
}

/** `at`: the first millisecond. */
export type BucketKey = { size: BucketSize; at: number }

/** Tags, and destinations, of their own in a bucket: the first ones. Each further value is counted as `otherGroup`. */
const maxGroups = 50
export const otherGroup = 'other'
/** The group of the dimension `status`. */
export const wholeGroup = ''

export const emptyCell = (): Cell => ({ statuses: new Map(), firstAttempt: new Map(), delivery: new Map() })

/** Returns a bucket of no mail. */
export const emptyBucket = (
  of: Pick<StatsBucket, 'workspace' | 'mode'> & BucketKey,
  wanted: readonly Dimension[] = dimensions,
): StatsBucket => ({
  ...of,
  upTo: 0,
  groups: Object.fromEntries(wanted.map((dimension) => [dimension, new Map()])),
})

/** Returns the emails of each bucket of a size, by the time of acceptance. */
export const byBucket = (emails: readonly Email[], size: BucketSize): Map<number, Email[]> =>
  Map.groupBy(emails, ({ createdAt }) => startOfBucket(size, createdAt))

/**
 * Adds what happened to emails of the bucket after `upTo`, and moves `upTo`. `emails` are all that have an event after
 * `from` and up to `to`; the bucket has what happened until `from`. It pauses after each email: a thousand with 50
 * recipients would block for half a second.
 */
export function* addOutcomesSteps(
  bucket: StatsBucket,
  emails: readonly Email[],
  { from, to }: { from: number; to: number },
): Steps<void> {
  const since = Math.max(from, bucket.upTo)
  if (to <= since) return
  for (const email of emails) {
    for (const change of changesOf(email, since, to))
      for (const [dimension, groups] of Object.entries(bucket.groups) as [Dimension, Groups][])
        for (const group of groupsOf(dimension, groups, email, change.recipient)) addChange(group, change)
    yield
  }
  bucket.upTo = to
}

/**
 * Returns the cells that count a recipient. A value is one of the first of the bucket, or one of the rest, each time it
 * is read: values are never removed, so a bucket that is full stays full.
 */
const groupsOf = (dimension: Dimension, groups: Groups, email: Email, recipient: number): Set<Cell> =>
  new Set(
    valuesOf(dimension, email, recipient).map((value) => {
      const isRoom = groups.has(value) || groups.size < maxGroups
      const name = isRoom ? value : otherGroup
      const known = groups.get(name)
      if (known !== undefined) return known
      const cell = emptyCell()
      groups.set(name, cell)
      return cell
    }),
  )

/**
 * Returns the values that a recipient counts for. Labels and addresses of mail with the retention `none` are removed
 * when it is final, so they are not counted.
 */
const valuesOf = (dimension: Dimension, email: Email, recipient: number): string[] => {
  const isForgotten = email.retention === 'none'
  switch (dimension) {
    case 'status':
      return [wholeGroup]
    case 'category':
      return [email.category]
    case 'tag':
      return isForgotten ? [] : Object.entries(email.tags).map(([name, value]) => `${name}:${value}`)
    case 'destination': {
      const address = email.recipients[recipient]?.address ?? removedAddress
      return [isForgotten || address === removedAddress ? otherGroup : domainOf(address).toLowerCase()]
    }
  }
}

const addChange = ({ statuses, firstAttempt, delivery }: Cell, change: OutcomeChange): void => {
  if (change.was !== null) addOne(statuses, change.was, -1)
  addOne(statuses, change.is, 1)
  if (change.firstAttemptMs !== null) addOne(firstAttempt, intervalOf(change.firstAttemptMs), 1)
  if (change.deliveryMs !== null) addOne(delivery, intervalOf(change.deliveryMs), 1)
}

const addOne = <Key>(counts: Map<Key, number>, key: Key, by: number): void => {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}

/** Adds one cell to another. */
export const addCell = (to: Cell, from: Cell): void => {
  for (const [status, count] of from.statuses) addOne(to.statuses, status, count)
  addCounts(to.firstAttempt, from.firstAttempt)
  addCounts(to.delivery, from.delivery)
}

type StoredCell = {
  s: [RecipientStatus, number][]
  a?: [number, number][]
  d?: [number, number][]
}

/** Returns the groups of one dimension as stores have them: JSON. */
export const groupsText = (groups: Groups | undefined): string =>
  JSON.stringify(
    [...(groups ?? [])].map(([value, { statuses, firstAttempt, delivery }]): [string, StoredCell] => [
      value,
      {
        s: [...statuses],
        ...(firstAttempt.size > 0 && { a: [...firstAttempt] }),
        ...(delivery.size > 0 && { d: [...delivery] }),
      },
    ]),
  )

/** Reads what `groupsText` returned. */
export const groupsOfText = (text: string): Groups =>
  new Map(
    (JSON.parse(text) as [string, StoredCell][]).map(([value, { s, a = [], d = [] }]) => [
      value,
      { statuses: new Map(s), firstAttempt: new Map(a), delivery: new Map(d) },
    ]),
  )
