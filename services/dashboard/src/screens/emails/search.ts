import { emailStatuses } from '@postrider/contracts/http/values.ts'
import type { EmailFilters } from '../../api/types.ts'
import { oneOf, optionalText, present } from '../../app/search.ts'
import { hourMs } from '../../ui/times.ts'

/** Spans of time that a list can be limited to, in hours. */
const spans = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 } as const

type Span = keyof typeof spans

/** Reads the filters of a URL. Unknown values are ignored. */
export const emailSearch = (search: Record<string, unknown>) =>
  present({
    /** Part of the subject, or a recipient. */
    q: optionalText(search['q']),
    status: oneOf(search['status'], emailStatuses),
    span: oneOf(search['span'], Object.keys(spans) as Span[]),
    from: optionalText(search['from']),
    template: optionalText(search['template']),
    tag: optionalText(search['tag']),
    category: oneOf(search['category'], ['transactional', 'marketing'] as const),
  })

/** The filters of the list as they are in the URL. */
export type EmailSearch = ReturnType<typeof emailSearch>

/** Whether a text names a recipient; else it is a part of a subject. */
const isAddress = (text: string): boolean => /^\S+@\S+\.\S+$/.test(text)

/**
 * Returns the filters of the API.
 * @param now in milliseconds. The beginning of a span is rounded down to a minute, so that the same list is not read
 * again
 */
export const filtersOf = (
  { q, status, span, from, template, tag, category }: EmailSearch,
  now: number,
): EmailFilters => {
  const since = span && Math.floor((now - spans[span] * hourMs) / 60_000) * 60_000
  return {
    ...(q !== undefined && (isAddress(q) ? { to: q } : { subject: q })),
    ...(status && { status }),
    ...(since !== undefined && { created_after: new Date(since).toISOString() }),
    ...(from !== undefined && { from_: from }),
    ...(template !== undefined && { template_id: template }),
    ...(tag !== undefined && { tag }),
    ...(category && { category }),
  }
}
