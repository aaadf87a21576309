import { emailEventTypes } from '../email/email.ts'
import { afterAllIds } from '../ids.ts'
import { byPosition, type EventType, type FeedPosition, type PublicEvent, workspaceEventTypes } from './event.ts'

/**
 * Approximate maximum number of stored events or emails that a page reads. A type may occur once in a million events:
 * then the page has fewer events than its limit, or none, and the next one continues.
 */
export const maxReadOfPage = 10_000

/** Selection of the events of a page; the part of a feed query that does not depend on the store. */
export type Selection = {
  /** Absent: all types. */
  types?: ReadonlySet<EventType> | undefined
  order: 'asc' | 'desc'
  /** Exclusive; null: at the beginning. */
  after: FeedPosition | null
  until: number
}

/** Returns whether the page has events of emails, and events without one. */
export const hasEmailTypes = ({ types }: Pick<Selection, 'types'>): boolean =>
  types === undefined || emailEventTypes.some((type) => types.has(type))
export const hasWorkspaceTypes = ({ types }: Pick<Selection, 'types'>): boolean =>
  types === undefined || workspaceEventTypes.some((type) => types.has(type))

/** Returns whether an event belongs to the page or to a later one. */
export const isSelected = (
  { types, order, after, until }: Selection,
  event: Pick<PublicEvent, 'type' | 'at' | 'id'>,
) => {
  if (event.at > until || (types !== undefined && !types.has(event.type))) return false
  if (after === null) return true
  return order === 'asc' ? byPosition(event, after) > 0 : byPosition(event, after) < 0
}

/** Returns positions in reading order. */
export const inOrder = <Item extends FeedPosition>(order: Selection['order'], items: readonly Item[]): Item[] =>
  items.toSorted((one, other) => (order === 'asc' ? byPosition(one, other) : byPosition(other, one)))

/** Returns where reading begins, exclusive. */
export const startOf = ({ order, after, until }: Selection): FeedPosition => {
  const newest = { at: until, id: afterAllIds }
  if (order === 'asc') return after ?? { at: -1, id: '' }
  return after === null || byPosition(newest, after) < 0 ? newest : after
}

/** Returns where a reader continues that has read everything. It never moves back. */
export const endOf = ({ order, after, until }: Selection): FeedPosition => {
  if (order === 'desc') return { at: -1, id: '' }
  const end = { at: until, id: afterAllIds }
  return after !== null && byPosition(after, end) > 0 ? after : end
}

/**
 * Returns texts of which the JSON of an email with an event of these types contains one; null: every email may have
 * one.
 */
export const typeTexts = ({ types }: Pick<Selection, 'types'>): string[] | null =>
  types === undefined ? null : [...types].map((type) => `"type":"${type}"`)
