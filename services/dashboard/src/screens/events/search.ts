import type { EventType } from '../../api/events.ts'
import { optionalText, present } from '../../app/search.ts'

/** Reads the filter of a URL: types, divided by commas. The screen knows the types, so that the router need not load them. */
export const eventSearch = (search: Record<string, unknown>) => present({ type: optionalText(search['type']) })

/** Returns the types of the filter; empty: all. Types that this release does not know are left out. */
export const typesOf = (
  { type = '' }: { type?: string | undefined },
  eventTypes: readonly EventType[],
): readonly EventType[] => {
  const named = type.split(',')
  return eventTypes.filter((known) => named.includes(known))
}
