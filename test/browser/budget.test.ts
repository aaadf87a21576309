import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { isWaiting, useBrowser, useDashboard, viewports } from '../support/browser.ts'
import { isFinal, rawMail, type Tenant } from '../support/client.ts'
import { watchShifts } from '../support/layoutShift.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

/** Maximum number of requests for the page, scripts, styles and typefaces of the overview. */
const maxFiles = 16
/**
 * Maximum number of requests of the API for the overview: session, workspaces, workspace, usage, statistics by two
 * groups, and lists.
 */
const maxReads = 12

/** The least time between two reads of something that events show, in milliseconds. */
const minPollMs = 10_000

/** Records the delays of all periodic timers of a page. */
const recordIntervals = `
  const setEvery = window.setInterval
  window.intervals = []
  window.setInterval = (run, ms, ...more) => {
    window.intervals.push(ms)
    return setEvery(run, ms, ...more)
  }`

const chart = /^Recipients by outcome, the last 24 hours: Delivered 1/

/** Screens, and what they show when their main part was read. */
const screens: readonly [path: string, isShown: (page: Page) => Promise<void>][] = [
  ['/overview', (page) => page.getByRole('img', { name: chart }).waitFor()],
  ['/overview?compare=true', (page) => page.getByText('Before: 0 (new)').waitFor()],
  ['/overview?view=table', (page) => page.getByRole('region', { name: 'Numbers of the charts' }).waitFor()],
  ['/getting-started', (page) => page.getByRole('heading', { name: /^Create an API key/ }).waitFor()],
  ['/emails', (page) => page.getByText('That is all.').waitFor()],
  ['/keys', (page) => page.getByRole('table', { name: 'API keys' }).waitFor()],
  ['/domains', (page) => page.getByText('No domain yet').waitFor()],
  ['/templates', (page) => page.getByText('No template yet').waitFor()],
  ['/billing', (page) => page.getByRole('img', { name: /^Sends by day/ }).waitFor()],
  ['/settings', (page) => page.getByRole('textbox', { name: 'Name', exact: true }).waitFor()],
  ['/settings/members', (page) => page.getByRole('table', { name: 'Members' }).waitFor()],
  ['/settings/security', (page) => page.getByText('Each member decides.').waitFor()],
  ['/settings/retention', (page) => page.getByRole('radio', { name: /^As the service/, checked: true }).waitFor()],
  ['/settings/notifications', (page) => page.getByRole('checkbox', { name: /^New devices/ }).waitFor()],
]

describe('budget of the first load', () => {
  useDashboard()
  const system = useSystem()
  const open = useBrowser()
  let tenant: Tenant
  let sent: string

  before(async () => {
    tenant = await system().client.tenant()
    const { status, text, body } = await tenant.send(rawMail())
    assert.equal(status, 202, text)
    sent = body.id
    await tenant.until(sent, isFinal)
  })

  it('requests each resource once, in few requests', async () => {
    await open({ url: system().client.url, session: tenant.session }, async ({ page, requests, hasRead }) => {
      await page.goto('/overview')
      await page.getByRole('img', { name: chart }).waitFor()
      await hasRead()
      const isRead = (url: string): boolean => new URL(url).pathname.startsWith('/api/')
      const reads = requests.map(({ url }) => url).filter(isRead)
      const files = requests.map(({ url }) => url).filter((url) => !isRead(url))
      assert.equal(new Set(files).size, files.length, `a file was read twice: ${files.join('\n')}`)
      assert.ok(files.length <= maxFiles, `${files.length} files:\n${files.join('\n')}`)
      // What follows by itself may be read again on a busy machine.
      assert.ok(new Set(reads).size <= maxReads, `${new Set(reads).size} reads:\n${[...new Set(reads)].join('\n')}`)
    })
  })

  it('shows the first chart when the session and its numbers were read, without waiting for anything else', async () => {
    await open({ url: system().client.url, session: tenant.session }, async ({ page }) => {
      const paused: (() => void)[] = []
      await page.route('**/api/v1/**', async (route) => {
        const { pathname, searchParams } = new URL(route.request().url())
        const isNeeded =
          pathname.endsWith('/auth/session') ||
          (pathname.endsWith('/stats/emails') && searchParams.get('by') === 'status')
        if (!isNeeded) await new Promise<void>((resume) => paused.push(resume))
        await route.continue().catch(() => {})
      })
      await page.goto('/overview')
      await page.getByRole('img', { name: chart }).locator('canvas').waitFor()
      assert.ok(paused.length > 0, 'no other request was paused')
      for (const resume of paused) resume()
      await page.unrouteAll({ behavior: 'wait' })
    })
  })

  it('polls seldom what events do not show, and has one request that waits for events', async () => {
    const options = { url: system().client.url, session: tenant.session, script: recordIntervals }
    await open(options, async ({ page, requests, hasRead }) => {
      for (const [path, shown] of [
        ['/overview', 'Recipients by outcome'],
        ['/emails', 'That is all.'],
        [`/emails/${sent}`, 'Delivered'],
        ['/events', 'That is all.'],
      ] as const) {
        const [startedAt, former] = [performance.now(), requests.length]
        const waits = () => requests.slice(former).filter(({ url }) => isWaiting(url)).length
        await page.goto(path)
        if (path === '/overview') await page.getByRole('img', { name: chart }).waitFor()
        else await page.getByText(shown).first().waitFor()
        await until('a request waits', () => waits() > 0 || undefined)
        await hasRead()
        const pollsMs = await page.evaluate<number[]>('window.intervals')
        assert.deepEqual(
          pollsMs.filter((ms) => ms < minPollMs),
          [],
          `${path} polls`,
        )
        // The next poll begins when the last one ends: after 20 seconds, or earlier if something happened.
        const max = 3 + (performance.now() - startedAt) / 20_000
        assert.ok(waits() <= max, `${waits()} requests of ${path} waited`)
      }
    })
  })

  for (const [size, order] of [
    ['desktop', 'first'],
    ['phone', 'last'],
  ] as const)
    it(`moves nothing when loaded content replaces its placeholder: ${size}, the ${order} response first`, async () => {
      await open({ url: system().client.url, session: tenant.session, viewport: size }, async ({ page }) => {
        const shifts = await watchShifts(page, order)
        // A browser reports only what is visible.
        await page.setViewportSize({ width: viewports[size].width, height: 4_000 })
        for (const [path, isShown] of screens) {
          await page.goto(path)
          await isShown(page)
          await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
          assert.deepEqual(await shifts(), [], `parts of ${path} moved`)
        }
        await page.unrouteAll({ behavior: 'ignoreErrors' })
      })
    })
})
