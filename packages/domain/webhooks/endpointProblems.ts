import { tooLong } from '@postrider/mail/problemTexts.ts'
import { type EventType, eventTypes, isEventType, reservedEventTypes, unknownType } from '../events/event.ts'
import type { Problem } from '../problem.ts'
import { maxDescriptionLength } from './endpoint.ts'
import { checkWebhookUrl, type WebhookRules } from './url.ts'

/** Returns what is wrong with an endpoint, or with a change of it: absent fields stay as they are. */
export const endpointProblems = (
  { url, events, description }: { url?: string; events?: readonly string[]; description?: string },
  rules: WebhookRules,
): Problem[] => {
  const checked = url === undefined ? null : checkWebhookUrl(url, rules)
  return [
    ...(checked?.kind === 'refused'
      ? [{ path: 'url', code: 'url_not_allowed', message: `The URL ${checked.reason}.` }]
      : []),
    ...eventTypeProblems(events ?? []),
    ...([...(description ?? '')].length > maxDescriptionLength
      ? [{ path: 'description', ...tooLong(maxDescriptionLength) }]
      : []),
  ]
}

/** Returns a problem for each unknown type of event. */
export const eventTypeProblems = (types: readonly string[]): Problem[] =>
  types.flatMap((type, index) => (isEventType(type) ? [] : [unknownType(`events[${index}]`)]))

/**
 * Returns a problem for each type that nothing causes yet: an endpoint that names it would never get an event of it. A
 * list of every type means all types, also those of later releases.
 * @param stored the types of the endpoint before, which a change may repeat; empty: all. Absent: a new endpoint
 */
export const reservedTypeProblems = (types: readonly string[], stored?: readonly EventType[]): Problem[] => {
  if (eventTypes.every((type) => types.includes(type)) || stored?.length === 0) return []
  const refused = reservedEventTypes.filter((type) => stored?.includes(type) !== true)
  const message = 'No event of this type occurs in this version; leave it out.'
  return types.flatMap((type, index) =>
    refused.some((one) => one === type) ? [{ path: `events[${index}]`, code: 'not_supported', message }] : [],
  )
}
