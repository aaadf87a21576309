import type { Page } from 'playwright-core'
import type { EmailRecord } from './records.ts'

/** A list that the page reads in place of the service's, so that it can be long and grow as a test wants. */
export type SyntheticList = {
  /** Adds entries at the beginning of the list. Returns the name of the newest. */
  add(count: number): string
  /** Requests of a page of the list. */
  reads(): number
}

type Served<Item> = {
  path: RegExp
  count: number
  /** Makes the entry of a number; the newest has the highest. */
  itemAt(number: number): Item
  nameOf(number: number): string
}

const serveList = async <Item>(page: Page, { path, count, itemAt, nameOf }: Served<Item>): Promise<SyntheticList> => {
  let newest = count
  let reads = 0
  await page.route(path, async (route) => {
    reads++
    const query = new URL(route.request().url()).searchParams
    const first = Number(query.get('cursor') ?? newest)
    const last = Math.max(0, first - Number(query.get('limit') ?? 20))
    const data = Array.from({ length: first - last }, (_, at) => itemAt(first - at))
    await route.fulfill({
      json: { object: 'list', data, has_more: last > 0, next_cursor: last > 0 ? String(last) : null },
    })
  })
  return {
    add: (added) => {
      newest += added
      return nameOf(newest)
    },
    reads: () => reads,
  }
}

const numberedId = (id: string, number: number): string => `${id.slice(0, -8)}${String(number).padStart(8, '0')}`
const laterBy = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString()

/**
 * Answers requests of the list of emails with copies of an email.
 * @param count emails in the list; the newest has the highest number in its subject
 */
export const serveEmails = (page: Page, email: EmailRecord, count: number): Promise<SyntheticList> => {
  const nameOf = (number: number): string => `Message ${number}`
  const itemAt = (number: number): EmailRecord => ({
    ...email,
    id: numberedId(email.id, number),
    subject: nameOf(number),
    created_at: laterBy(email.created_at, number),
  })
  return serveList(page, { path: /\/api\/v1\/emails\?/, count, itemAt, nameOf })
}

export type EventRecord = { id: string; timestamp: string; data: Record<string, unknown> }

/** Serves a feed of synthetic events. The recipient of an event has its number. */
export const serveEvents = (page: Page, event: EventRecord, count: number): Promise<SyntheticList> => {
  const nameOf = (number: number): string => `person${number}@receiver.example`
  const itemAt = (number: number): EventRecord => ({
    ...event,
    id: numberedId(event.id, number),
    timestamp: laterBy(event.timestamp, number),
    data: { ...event.data, recipient: nameOf(number) },
  })
  return serveList(page, { path: /\/api\/v1\/events\?/, count, itemAt, nameOf })
}
