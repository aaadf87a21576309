import type { Problem } from '../accounts/textRules.ts'
import { type EventType, eventTypes } from './event.ts'

export const isEventType = (text: string): text is EventType => (eventTypes as readonly string[]).includes(text)

/** Returns the problem of a field whose text is no event type. */
export const unknownType = (path: string): Problem => ({
  path,
  code: 'unknown_event_type',
  message: `Must be one of ${eventTypes.join(', ')}.`,
})
