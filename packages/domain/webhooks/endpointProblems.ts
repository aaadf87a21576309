import { tooLong } from '@postrider/mail/problemTexts.ts'
import type { Problem } from '../accounts/textRules.ts'
import { isEventType, unknownType } from '../events/event.ts'
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
