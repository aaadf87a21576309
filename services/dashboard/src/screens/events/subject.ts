import type { Event } from '../../api/events.ts'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const periods: Readonly<Record<string, string>> = { daily: 'Sends of the day', monthly: 'Sends of the month' }

/** Returns what an event is about in one line, and the detail that explains it best; empty: none. */
export const subjectOf = ({ type, data }: Event): { text: string; detail: string } => {
  const members: Readonly<Record<string, unknown>> = data
  if (type.startsWith('domain.')) return { text: textOf(members['name']), detail: '' }
  if (type.startsWith('quota.')) {
    const period = textOf(members['period'])
    return { text: periods[period] ?? period, detail: `${members['used']} of ${members['limit']}` }
  }
  if (type.startsWith('webhook.')) return { text: textOf(members['url']), detail: textOf(members['reason']) }
  return { text: textOf(members['recipient']) || 'All recipients', detail: textOf(members['reply']) }
}
