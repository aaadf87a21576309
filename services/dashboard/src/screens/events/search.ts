import type { EventType } from '../../api/events.ts'
import { optionalText, present } from '../../app/search.ts'
import { eventTypes } from './eventTypes.ts'

/** Reads the types of a URL, divided by commas. Types that this release does not know are left out. */
export const eventSearch = (search: Record<string, unknown>) => {
  const types = typesOf({ type: optionalText(search['type']) })
  return present({ type: types.length === 0 ? undefined : types.join(',') })
}

/** Returns the types of the filter; empty: all. */
export const typesOf = ({ type = '' }: { type?: string | undefined }): readonly EventType[] => {
  const named = type.split(',')
  return eventTypes.filter((known) => named.includes(known))
}
