import type { Page } from 'playwright-core'
import type { EmailRecord } from './records.ts'

/** A list of emails that the page reads in place of the service's, so that it can be long and grow as a test wants. */
export type SyntheticEmails = {
  /** Adds emails at the beginning of the list. Returns the subject of the newest. */
  add(count: number): string
  /** Requests of a page of the list. */
  reads(): number
}

/**
 * Answers requests of the list of emails with copies of an email.
 * @param count emails in the list; the newest has the highest number in its subject
 */
export const serveEmails = async (page: Page, email: EmailRecord, count: number): Promise<SyntheticEmails> => {
  let newest = count
  let reads = 0
  const since = Date.parse(email.created_at)
  const emailAt = (number: number): EmailRecord => ({
    ...email,
    id: `${email.id.slice(0, -8)}${String(number).padStart(8, '0')}`,
    subject: `Message ${number}`,
    created_at: new Date(since + number).toISOString(),
  })
  await page.route(/\/api\/v1\/emails\?/, async (route) => {
    reads++
    const query = new URL(route.request().url()).searchParams
    const first = Number(query.get('cursor') ?? newest)
    const last = Math.max(0, first - Number(query.get('limit') ?? 20))
    const data = Array.from({ length: first - last }, (_, at) => emailAt(first - at))
    await route.fulfill({
      json: { object: 'list', data, has_more: last > 0, next_cursor: last > 0 ? String(last) : null },
    })
  })
  return {
    add: (added) => {
      newest += added
      return `Message ${newest}`
    },
    reads: () => reads,
  }
}
