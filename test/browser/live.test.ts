import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { isWaiting, useBrowser, useDashboard } from '../support/browser.ts'
import { fresh, rawMail, type Tenant } from '../support/client.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

/** Switches the polls of a page off, so that only events change what it shows. */
const withoutPolls = 'window.setInterval = () => 0'

/** Makes a page believe that its tab is hidden or visible. */
const show = (page: Page, state: 'hidden' | 'visible'): Promise<void> =>
  page.evaluate(`(() => {
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  })()`)

describe('live status in the dashboard', () => {
  useDashboard()
  const system = useSystem()
  const open = useBrowser()
  let tenant: Tenant

  before(async () => {
    tenant = await system().client.tenant()
  })

  const schedule = async (to: string): Promise<string> => {
    const later = new Date(Date.now() + 3_600_000).toISOString()
    const { status, body, text } = await tenant.send(rawMail({ to: [to], scheduled_at: later }))
    assert.equal(status, 202, text)
    return body.id
  }
  const cancel = async (id: string): Promise<void> => {
    const { status, text } = await tenant.api.call({ method: 'POST', path: `/api/v1/emails/${id}/cancel` })
    assert.equal(status, 200, text)
  }

  it('changes on the list and on the page of an email by its events', async () => {
    const [listed, opened] = [fresh('listed'), fresh('opened')]
    const [first, second] = [await schedule(listed), await schedule(opened)]
    await open({ url: system().client.url, session: tenant.session }, async ({ page, requests }) => {
      await page.addInitScript({ content: withoutPolls })
      const waits = (): number => requests.filter(({ url }) => isWaiting(url)).length
      await page.goto('/emails')
      const row = page.getByRole('row').filter({ hasText: listed })
      await row.getByText('Scheduled').filter({ visible: true }).waitFor()
      // The first request looks back for some seconds only.
      await until('a request waits', () => waits() > 0 || undefined)
      await cancel(first)
      await row.getByText('Canceled').filter({ visible: true }).waitFor()

      // A new email appears without a reload.
      const added = fresh('added')
      await schedule(added)
      await page.getByRole('row').filter({ hasText: added }).waitFor()

      const before = waits()
      await page.goto(`/emails/${second}`)
      const main = page.getByRole('main')
      await main.getByText('Scheduled', { exact: true }).first().waitFor()
      await until('a request of the new page waits', () => waits() > before || undefined)
      await cancel(second)
      await main.getByText('Canceled', { exact: true }).first().waitFor()
    })
  })

  it('waits for nothing in a hidden tab, and shows what changed when it is visible again', async () => {
    const to = fresh('hidden')
    const id = await schedule(to)
    await open({ url: system().client.url, session: tenant.session }, async ({ page, requests }) => {
      await page.addInitScript({ content: withoutPolls })
      const ended: string[] = []
      page.on('requestfailed', (request) => void ended.push(request.url()))
      page.on('requestfinished', (request) => void ended.push(request.url()))
      await page.goto('/emails')
      const row = page.getByRole('row').filter({ hasText: to })
      await row.getByText('Scheduled').filter({ visible: true }).waitFor()
      const waits = () => requests.filter(({ url }) => isWaiting(url))
      await until('a request waits', () => waits().length > 0 || undefined)
      await show(page, 'hidden')
      // A poll that waits is aborted; it may also have ended before.
      await until('no request waits', () => ended.filter(isWaiting).length === waits().length || undefined)
      const before = waits().length
      await cancel(id)
      await show(page, 'visible')
      await row.getByText('Canceled').filter({ visible: true }).waitFor()
      await until('a request waits again', () => waits().length > before || undefined)
    })
  })

  it('shows the login soon after the session has ended elsewhere', async () => {
    const { session } = await system().client.tenant()
    await open({ url: system().client.url, session, expected: /status of 401/ }, async ({ page, requests }) => {
      await page.addInitScript({ content: withoutPolls })
      await page.goto('/emails')
      await until('a request waits', () => requests.some(({ url }) => isWaiting(url)) || undefined)
      const { status, text } = await session.call({ method: 'POST', path: '/api/v1/auth/logout' })
      assert.equal(status, 204, text)
      await page.waitForURL(/\/login\?/)
    })
  })
})
