import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { assertAccessible, isTrue, tabTo, useBrowser, useDashboard } from '../support/browser.ts'
import { fresh, isFinal, rawMail, type Tenant } from '../support/client.ts'
import { useSystem } from '../support/suite.ts'

/** Returns the sums of the table by the headings of its columns. */
const totals = async (page: Page): Promise<Record<string, string>> => {
  const table = page.getByRole('region', { name: 'Numbers of the charts' })
  const headings = await table.locator('thead th').allTextContents()
  const cells = await table.locator('tfoot tr > *').allTextContents()
  return Object.fromEntries(headings.map((heading, column) => [heading, cells[column] ?? '']))
}

describe('overview in the dashboard', () => {
  useDashboard()
  const system = useSystem()
  const open = useBrowser()
  let tenant: Tenant

  before(async () => {
    tenant = await system().client.tenant()
  })

  it('follows the first steps, and shows the numbers of the API as charts, as a table and as a file', async () => {
    await open({ url: system().client.url, session: tenant.session }, async ({ page }) => {
      await page.goto('/')
      await page.waitForURL('**/getting-started')
      // Regression: for a reader who prefers reduced motion, endless animations repeated at the refresh rate of the
      // screen.
      await page.getByText('Waiting for the first email').waitFor()
      const moving = `document.getAnimations().filter(({ playState }) => playState === 'running')`
      await isTrue(page, 'nothing moves', `${moving}.length === 0`)

      const [refused, deferred] = [fresh('refused'), fresh('later')]
      system().receiver.refuse(refused, { code: 550, text: '5.1.1 No such user here' })
      system().receiver.refuse(deferred, { code: 451, text: '4.3.0 Try again later' })
      const sent = await tenant.send(rawMail({ to: [fresh(), fresh(), refused] }))
      const waiting = await tenant.send(rawMail({ to: [deferred] }))
      await tenant.until(sent.body.id, isFinal)
      await tenant.until(waiting.body.id, ({ status }) => status === 'deferred')

      await page.goto('/')
      await page.waitForURL('**/overview')
      const volume = page.getByRole('img', { name: /Delivered 2, Waiting 1, Bounced 1, Failed 0/ })
      await volume.waitFor()
      await volume.locator('canvas').waitFor()
      await page.getByText('33.3 %').first().waitFor()
      await page.getByRole('button', { name: 'Copy shared address' }).waitFor()
      await page.getByRole('link', { name: '1 email deferred' }).waitFor()
      await page.getByRole('table', { name: 'Destinations' }).waitFor()

      await tabTo(page, /^View as table/)
      await page.keyboard.press('Enter')
      await page.waitForURL(/view=table/)
      await page.getByRole('link', { name: '7 d', exact: true }).click()
      await page.waitForURL(/range=7d/)
      await page.getByRole('columnheader', { name: 'Day (UTC)' }).waitFor()
      await page.locator('tbody tr:has(time)').nth(6).waitFor()
      const shown = await totals(page)
      assert.equal(await page.locator('tbody tr:has(time)').count(), 7)
      const { Accepted, Delivered, Waiting, Bounced } = shown
      assert.deepEqual(
        { Accepted, Delivered, Waiting, Bounced },
        { Accepted: '4', Delivered: '2', Waiting: '1', Bounced: '1' },
      )

      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'CSV' }).click()
      const rows = (await readFile(await (await saved).path(), 'utf8')).trim().split('\r\n')
      const [head = [], last = []] = [rows[0], rows.at(-1)].map((row) => row?.split(','))
      const saved7 = Object.fromEntries(head.map((name, column) => [name, last[column]]))
      assert.equal(rows.length, 8)
      const { accepted, delivered, bounced, deferred: later } = saved7
      assert.deepEqual(
        { accepted, delivered, bounced, later },
        { accepted: '4', delivered: '2', bounced: '1', later: '1' },
      )
    })
  })

  it('has no faults of accessibility as a table that is compared with the period before, on a phone', async () => {
    const options = { url: system().client.url, session: tenant.session, viewport: 'phone' } as const
    await open(options, async ({ page }) => {
      await page.goto('/overview?view=table&compare=true')
      await page.getByRole('region', { name: 'Numbers of the charts' }).waitFor()
      await page.getByText('Before: 0 (new)').waitFor()
      await assertAccessible(page)
    })
  })

  it('draws charts in a browser whose language is a locale of POSIX', async () => {
    await open({ url: system().client.url, session: tenant.session }, async ({ page }) => {
      await page.addInitScript(
        `Object.defineProperty(Navigator.prototype, 'language', { configurable: true, get: () => 'en-US@posix' })`,
      )
      await page.goto('/overview')
      await page
        .getByRole('img', { name: /^Recipients by outcome/ })
        .locator('canvas')
        .waitFor()
    })
  })
})
