import { join } from 'node:path'
import process from 'node:process'
import { openDatabase } from '@postrider/adapters/sqlite/client/database.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { launchBrowser } from '../support/chromium.ts'
import { connect, type Session, type Tenant } from '../support/client.ts'
import { type PageMemory, watchMemory } from '../support/pageMemory.ts'
import { smtpSink } from '../support/smtpSink.ts'
import { makeDataDirectory, operatorToken, removeDataDirectory, startStandalone } from '../support/standalone.ts'
import { serveEmails } from '../support/syntheticEmails.ts'
import { aWorkspaceWithMail, type Browsing, chartMs, openContext, watchChart } from './chartTimes.ts'
import { pick, storeListed, words } from './listedMail.ts'

/*
 * Measures the dashboard of one process on SQLite: `node test/bench/dashboard.ts [emails]`. It needs
 * `npm run build:dashboard`.
 *
 * - The list of emails (100,000 unless another number is given): all pages in order, and filters, as the dashboard
 *   requests them.
 * - The list in the browser: 60 pages by scrolling.
 * - The first chart: from the navigation to the first frame with it, with an empty and with a filled cache.
 * - 30 minutes of new mail: 600 reads of the list, with the timers of the page advanced, and the memory of the page.
 */

const emails = Number(process.argv[2] ?? 100_000)
const [runs, loads, scrolls, pollMs, polls] = [40, 20, 60, 3_000, 600]
const pageSize = 50

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const at = (took: readonly number[], share: number): string => {
  const sorted = took.toSorted((one, other) => one - other)
  return (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1)
}
const row = (name: string, took: readonly number[]): void =>
  print(`| ${name} | ${took.length} | ${at(took, 0.5)} | ${at(took, 0.95)} | ${at(took, 1)} |`)
const heading = '| | number | median, ms | p95, ms | most, ms |\n|---|---|---|---|---|'

const filters: readonly [name: string, query: (run: number) => Record<string, string>][] = [
  ['first page, which is read every 3 s', () => ({})],
  ['status bounced', () => ({ status: 'bounced' })],
  ['status failed: none', () => ({ status: 'failed' })],
  ['to', (run) => ({ to: `person${pick(run, 100_000)}@example.com` })],
  ['subject, a word', (run) => ({ subject: words[run % words.length] ?? '' })],
  ['subject, a number', (run) => ({ subject: String(pick(run, 1_000_000)) })],
  ['subject: none', () => ({ subject: 'no such subject' })],
  ['from', (run) => ({ from_: `sender${run % 10}@postrider.example` })],
  ['from, status bounced', (run) => ({ from_: `sender${run % 10}@postrider.example`, status: 'bounced' })],
  ['tag', (run) => ({ tag: `campaign:c${pick(run, 1_000)}` })],
  ['category: none', () => ({ category: 'marketing' })],
  ['last hour', () => ({ created_after: new Date(Date.now() - 3_600_000).toISOString() })],
]

type ListResponse = { has_more: boolean; next_cursor: string | null }

const measureAnswers = async (session: Session): Promise<void> => {
  const read = async (query: Record<string, string>): Promise<[tookMs: number, response: ListResponse]> => {
    const path = `/api/v1/emails?${new URLSearchParams({ mode: 'live', limit: String(pageSize), ...query })}`
    const startedAt = performance.now()
    const { status, text, body } = await session.call<ListResponse>({ path })
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`)
    return [performance.now() - startedAt, body]
  }
  print(`\n${emails} emails on SQLite, pages of ${pageSize} over HTTP\n\n${heading}`)
  const pages: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const [tookMs, response]: [number, ListResponse] = await read(cursor === '' ? {} : { cursor })
    pages.push(tookMs)
    cursor = response.has_more ? response.next_cursor : null
  }
  row('all pages, one after the other', pages)
  for (const [name, query] of filters) {
    const took: number[] = []
    for (let run = 0; run < runs; run++) took.push((await read(query(run)))[0])
    row(name, took)
  }
}

const heldBy = ({ nodes, listeners, queries, heapBytes }: PageMemory): string =>
  `${nodes} nodes, ${listeners} listeners, ${queries} queries, ${(heapBytes / 2 ** 20).toFixed(1)} MiB of heap`

const measureScrolling = async (browsing: Browsing): Promise<void> => {
  await using context = await openContext(browsing)
  const page = await context.newPage()
  const took: number[] = []
  page.on('requestfinished', (request) => {
    const { requestStart, responseEnd } = request.timing()
    if (request.url().includes('/api/v1/emails?')) took.push(responseEnd - requestStart)
  })
  await page.goto('/emails')
  const rows = page.locator('tbody tr[data-index]')
  await rows.first().waitFor()
  const memory = await watchMemory(page)
  const before = await memory()
  await page.evaluate(`(async () => {
    while (Number(document.querySelector('table').getAttribute('aria-rowcount')) <= ${Math.min(scrolls * pageSize, emails)}) {
      scrollTo(0, document.documentElement.scrollHeight)
      await new Promise((drawn) => requestAnimationFrame(drawn))
    }
  })()`)
  const shown = await rows.count()
  print(`\nThe list in the browser, ${scrolls} pages by scrolling\n\n${heading}`)
  row('responses, as the browser sees them', took)
  print(`\nBefore: ${heldBy(before)}. After: ${heldBy(await memory())}, ${shown} rows in the document.`)
}

const measureChart = async (browsing: Browsing): Promise<void> => {
  const [empty, filled]: [number[], number[]] = [[], []]
  for (let load = 0; load < loads; load++) {
    await using context = await openContext(browsing)
    const page = await context.newPage()
    await page.addInitScript(watchChart)
    empty.push(await chartMs(page))
    filled.push(await chartMs(page))
  }
  print(`\nFrom the navigation to the first frame with the first chart\n\n${heading}`)
  row('empty cache', empty)
  row('filled cache', filled)
}

type Newest = Awaited<ReturnType<Tenant['list']>>

const measureFollowing = async (browsing: Browsing): Promise<void> => {
  await using context = await openContext(browsing)
  const page = await context.newPage()
  const { body } = await browsing.session.call<Newest>({ path: '/api/v1/emails?limit=1' })
  const [email] = body.data
  if (!email) throw new Error('the list is empty')
  const list = await serveEmails(page, email, emails)
  await page.clock.install()
  await page.goto('/emails')
  await page.locator('tbody tr').first().waitFor()
  const memory = await watchMemory(page)
  print(`\n${polls} reads of the list, each with 20 new emails: ${(polls * pollMs) / 60_000} minutes of the page\n`)
  for (let poll = 1; poll <= polls; poll++) {
    const subject = list.add(20)
    await page.clock.runFor(pollMs)
    await page.getByRole('link', { name: subject, exact: true }).waitFor()
    if (poll % (polls / 10) === 0) print(`- after ${(poll * pollMs) / 60_000} min: ${heldBy(await memory())}`)
  }
}

await using sink = await smtpSink({ keep: 'counts' })
const data = await makeDataDirectory()
const start = () =>
  startStandalone({ POSTRIDER_ROUTE: `smtp://127.0.0.1:${sink.port}`, POSTRIDER_OPERATOR_TOKEN: operatorToken }, data)
try {
  const first = await start()
  const tenant = await connect(first.url, operatorToken).tenant()
  await first.stop()
  {
    const onFatal = (reason: unknown): void => {
      throw reason
    }
    await using db = openDatabase({ path: join(data, 'postrider.db'), onFatal })
    const store = sqliteEmails(db)
    const listed = { count: emails, now: Date.now(), over: { workspace: tenant.workspace.id } }
    await storeListed(store, listed, 500, () => db.synced())
    while ((await store.fillListIndex(500)) === 500) await db.synced()
  }
  const service = await start()
  const client = connect(service.url, operatorToken)
  const json = { email: tenant.email, password: tenant.password }
  const session = client.session(await client.call({ path: '/api/v1/auth/login', json }))
  const browser = await launchBrowser()
  try {
    const browsing = { browser, url: service.url, session }
    await measureAnswers(session)
    await measureScrolling(browsing)
    await measureChart({ ...browsing, session: await aWorkspaceWithMail(client) })
    await measureFollowing(browsing)
  } finally {
    await browser.close()
    client.close()
    await service.stop()
  }
} finally {
  await removeDataDirectory(data)
}
