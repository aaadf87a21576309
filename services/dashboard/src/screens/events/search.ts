import type { EventType } from '../../api/events.ts'
import { optionalText, present } from '../../app/search.ts'

/**
 * Reads the filter of a URL: types, divided by commas. The screen validates the types, so that the router does not have
 * to load them.
 */
export const eventSearch = (search: Record<string, unknown>) => present({ type: optionalText(search['type']) })

/** Returns the types of the filter; empty: all. Types that are unknown to this release are ignored. */
export const typesOf = (
  { type = '' }: { type?: string | undefined },
  eventTypes: readonly EventType[],
): readonly EventType[] => {
  const named = type.split(',')
  return eventTypes.filter((known) => named.includes(known))
}
