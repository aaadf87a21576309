import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { useBrowser, useDashboard } from '../support/browser.ts'
import { isFinal, rawMail, type Tenant } from '../support/client.ts'
import { type PageMemory, watchMemory } from '../support/pageMemory.ts'
import type { EmailRecord, ListRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'
import { type EventRecord, serveEmails, serveEvents } from '../support/syntheticEmails.ts'
import { until } from '../support/until.ts'

/** Maximum number of rows in the document: those of the window and the spare ones around it. */
const maxRows = 120
/** After so long the newest page of a list is read again although no event came. */
const pollMs = 15_000
/**
 * A page that follows events polls again within this time. The list of events that a test serves returns immediately.
 */
const followMs = 3_000

/** Nodes and listeners that 46 reads of new mail may add: less than one node and a fifth of a listener a read. */
const maxKept = { nodes: 45, listeners: 9 }

const rowCount = (page: Page): Promise<number> => page.locator('tbody tr[data-index]').count()
const lengthOf = async (page: Page): Promise<number> =>
  Number(await page.getByRole('table', { name: 'Emails' }).getAttribute('aria-rowcount')) - 1

/** Scrolls to the middle of the list. Returns the list's length at that moment: a page of it may still arrive. */
const scrollToMiddle = (page: Page): Promise<number> =>
  page.evaluate<number>(`(() => {
    scrollTo(0, document.documentElement.scrollHeight / 2)
    return Number(document.querySelector('table').getAttribute('aria-rowcount')) - 1
  })()`)

/** Scrolls to the end, as far as it is read, until the list has this length. */
const readUntil = (page: Page, length: number): Promise<unknown> =>
  page.evaluate(`(async () => {
    while (Number(document.querySelector('table').getAttribute('aria-rowcount')) <= ${length}) {
      scrollTo(0, document.documentElement.scrollHeight)
      await new Promise((drawn) => requestAnimationFrame(drawn))
    }
  })()`)

/**
 * Scrolls up in steps. Returns each gap of the list that is drawn with another height than it has, at any step: the
 * browser kept the former height of a row without cells.
 */
const wrongGaps = (page: Page): Promise<string[]> =>
  page.evaluate(`(async () => {
    const wrong = []
    for (let at = scrollY; at > 0; at -= 1_500) {
      scrollTo(0, at)
      await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))
      for (const gap of document.querySelectorAll('tbody tr[aria-hidden]')) {
        const wanted = parseFloat(gap.style.height)
        const drawn = gap.getBoundingClientRect().height
        if (Math.abs(wanted - drawn) > 1) wrong.push(drawn + ' px instead of ' + wanted)
      }
    }
    return wrong
  })()`)

/** Reads the feed until this many events are in the document. Returns how many. */
const readEventsUntil = (page: Page, length: number): Promise<number> =>
  page.evaluate<number>(`(async () => {
    const count = () => document.querySelectorAll('[data-rows] > li').length
    while (count() < ${length}) {
      scrollTo(0, document.documentElement.scrollHeight)
      await new Promise((drawn) => requestAnimationFrame(drawn))
    }
    scrollTo(0, 0)
    return count()
  })()`)

/**
 * Counts how often the page renders a relative time, which each row has: it parses the time. Returns a function that
 * returns the number since its last call.
 */
const countRendered = async (page: Page): Promise<() => Promise<number>> => {
  await page.evaluate(`(() => {
    const parse = Date.parse
    window.parsed = 0
    Date.parse = (text) => { window.parsed++; return parse(text) }
  })()`)
  return () =>
    page.evaluate<number>(`(async () => {
      // What React has to render waits in the same queue.
      const { port1, port2 } = new MessageChannel()
      await new Promise((done) => { port1.onmessage = done; port2.postMessage(0) })
      const { parsed } = window
      window.parsed = 0
      return parsed
    })()`)
}

/** The link of an email in the list. Not by its role: that would compute the names of all links at each check. */
const linkOf = (page: Page, subject: string) => page.locator('tbody a', { hasText: subject })

const isInView = (page: Page, subject: string): Promise<void> =>
  page.getByRole('link', { name: subject, exact: true }).waitFor()

describe('long and live lists in the dashboard', () => {
  useDashboard()
  const system = useSystem()
  const open = useBrowser()
  let tenant: Tenant
  let email: EmailRecord

  before(async () => {
    tenant = await system().client.tenant()
    const { status, text, body } = await tenant.send(rawMail())
    assert.equal(status, 202, text)
    email = await tenant.until(body.id, isFinal)
  })

  for (const viewport of ['desktop', 'phone'] as const)
    it(`have few rows in the document, however many were read: ${viewport}`, async () => {
      await open({ url: system().client.url, session: tenant.session, viewport }, async ({ page }) => {
        await serveEmails(page, email, 100_000)
        await page.goto('/emails')
        await isInView(page, 'Message 100000')
        await readUntil(page, 1_000)
        assert.ok((await rowCount(page)) <= maxRows, `${await rowCount(page)} rows`)
        // The position of a row does not depend on the rows that are in the document.
        await isInView(page, `Message ${100_000 - Math.round((await scrollToMiddle(page)) / 2)}`)
        assert.deepEqual(await wrongGaps(page), [])
        await page.evaluate('scrollTo(0, 0)')
        await isInView(page, 'Message 100000')
        assert.ok((await rowCount(page)) <= maxRows, `${await rowCount(page)} rows`)
      })
    })

  it('keep the focus of a row that is scrolled away, and move it among rows that were not in the document', async () => {
    await open({ url: system().client.url, session: tenant.session }, async ({ page }) => {
      await serveEmails(page, email, 1_000)
      await page.goto('/emails')
      await page.getByRole('link', { name: 'Message 1000', exact: true }).focus()
      await readUntil(page, 400)
      assert.equal(await page.locator('a:focus').textContent(), 'Message 1000')
      await page.evaluate('scrollTo(0, 0)')
      await isInView(page, 'Message 999')
      for (let message = 999; message > 940; message--) {
        // The rows of a slow page follow the focus in the next frame.
        await linkOf(page, `Message ${message}`).waitFor({ state: 'attached' })
        await page.keyboard.press('j')
        await page.locator('a:focus', { hasText: `Message ${message}` }).waitFor()
      }
    })
  })

  const grownBy = (before: PageMemory, after: PageMemory): string =>
    `${JSON.stringify(before)} became ${JSON.stringify(after)}`

  it('use no more memory after 63 reads of new mail than after 17', async () => {
    await open({ url: system().client.url, session: tenant.session }, async ({ page }) => {
      const list = await serveEmails(page, email, 100_000)
      await page.clock.install()
      await page.goto('/emails')
      await isInView(page, 'Message 100000')
      const memory = await watchMemory(page)
      /** Lets new mail arrive and waits until it is shown. */
      const follow = async (polls: number): Promise<PageMemory> => {
        for (let poll = 0; poll < polls; poll++) {
          const subject = list.add(20)
          await page.clock.runFor(pollMs)
          await linkOf(page, subject).waitFor()
        }
        return memory()
      }
      // The list is cut after each 23 reads, so its length is the same at both times.
      const before = await follow(17)
      const after = await follow(46)
      assert.ok((await lengthOf(page)) <= 520, `${await lengthOf(page)} emails are loaded`)
      // The test finds a leak of one node for each read. The counts differ by two nodes and one listener at most.
      assert.ok(after.nodes <= before.nodes + maxKept.nodes, grownBy(before, after))
      assert.ok(after.listeners <= before.listeners + maxKept.listeners, grownBy(before, after))
      assert.equal(after.queries, before.queries, grownBy(before, after))
    })
  })

  // Each opened row, and each read of new events, rendered all rows again.
  it('render one row of the events when it is opened, and only the new ones when some arrive', async () => {
    const { body } = await tenant.session.call<ListRecord<EventRecord>>({ path: '/api/v1/events?type=email.delivered' })
    const [event] = body.data
    assert.ok(event, 'no event')
    await open({ url: system().client.url, session: tenant.session }, async ({ page }) => {
      const list = await serveEvents(page, event, 1_000)
      await page.clock.install()
      await page.goto('/events')
      await page.getByRole('button', { name: 'person1000@receiver.example' }).waitFor()
      const rows = await readEventsUntil(page, 300)
      await page.clock.pauseAt(Date.now() + 3_600_000)
      const rendered = await countRendered(page)
      // The jump of the clock renders all times again, perhaps later.
      while ((await rendered()) > 0);
      await page.evaluate(`document.querySelectorAll('[data-rows] button')[7].click()`)
      await page.getByText('"recipient": "person993@receiver.example"').waitFor()
      const opened = await rendered()
      assert.ok(opened > 0 && opened < 10, `${opened} times rendered`)

      // Every 10 s all relative times are rendered again: after that, 9 s are free of it.
      while ((await rendered()) < rows) await page.clock.runFor(1_000)
      const newest = page.getByRole('button', { name: list.add(20) })
      await page.clock.runFor(followMs)
      // What the page does with the response waits for its clock too.
      await until('the new events', async () => {
        await page.clock.runFor(1)
        return (await newest.count()) > 0 || undefined
      })
      const added = await rendered()
      assert.ok(added >= 20 && added < 60, `${added} of ${rows} times rendered`)
    })
  })
})
