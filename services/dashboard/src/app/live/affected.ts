import type { QueryKey } from '@tanstack/react-query'
import type { Event } from '../../api/events.ts'

/** What an event may change on a screen. */
type Area = 'emails' | 'domains' | 'webhooks' | 'quota'

const areaOf = (type: string): Area | null => {
  const [kind] = type.split('.')
  if (kind === 'email') return 'emails'
  if (kind === 'domain') return 'domains'
  if (kind === 'webhook') return 'webhooks'
  return kind === 'quota' ? 'quota' : null
}

/** Areas and emails that some events changed; null: anything, for reads after a tab was hidden. */
export type Changes = { areas: ReadonlySet<Area>; emails: ReadonlySet<string> } | null

export const changesOf = (events: readonly Event[]): Changes => ({
  areas: new Set(events.flatMap(({ type }) => areaOf(type) ?? [])),
  emails: new Set(events.flatMap(({ data }) => (typeof data['email_id'] === 'string' ? [data['email_id']] : []))),
})

/** Returns whether a query may have another response immediately. Of a list only its newest page is read again. */
export const isAffected = (changes: Changes, key: QueryKey): boolean => {
  const [area, part, id] = key
  const isNewest = key.at(-1) === 'newest'
  const has = (one: Area): boolean => changes === null || changes.areas.has(one)
  if (area === 'events') return isNewest
  if (area === 'webhooks' && part === 'deliveries') return isNewest
  if (area === 'webhooks') return has('webhooks') && (part === 'list' || part === 'one')
  if (area === 'domains') return has('domains') && (part === 'list' || part === 'one')
  if (area === 'start') return (part === 'emails' && has('emails')) || (part === 'domains' && has('domains'))
  if (area !== 'emails' || !has('emails')) return false
  if (part === 'one') return changes === null || changes.emails.has(String(id))
  return part === 'list' && isNewest
}

/**
 * Returns whether a query shows the effect of events some seconds later, or is too long to be read with each of them:
 * counts, and what became of deliveries.
 */
export const isAffectedLater = (key: QueryKey): boolean => {
  const [area, part] = key
  if (area === 'webhooks') return part === 'deliveries' && key.at(-1) === 'newest'
  return area === 'stats' || area === 'usage' || (area === 'emails' && part === 'of-status')
}
