import assert from 'node:assert/strict'
import { assertAccessible, hasFocus, isDrawn, useBrowser, useDashboard } from '../support/browser.ts'
import { fresh, rawMail, type Tenant } from '../support/client.ts'
import { useSystem } from '../support/suite.ts'

describe('events in the dashboard', () => {
  useDashboard()
  const system = useSystem()
  const open = useBrowser()
  let tenant: Tenant

  before(async () => {
    tenant = await system().client.tenant()
  })

  it('appear without a reload, are filtered in the URL, and show their payload', async () => {
    const to = fresh()
    await open({ url: system().client.url, session: tenant.session }, async ({ page }) => {
      await page.goto('/events')
      await page.getByText('No live event yet').waitFor()
      const sent = await tenant.send(rawMail({ to: [to] }))
      assert.equal(sent.status, 202, sent.text)
      const delivered = page.getByRole('button', { name: new RegExp(`Delivered ${to}`) })
      await delivered.waitFor()

      await page.getByRole('button', { name: 'Delivered', exact: true }).click()
      await page.waitForURL(/type=email\.delivered/)
      await page.getByRole('button', { name: /^Accepted/ }).waitFor({ state: 'detached' })
      await delivered.waitFor()
      await isDrawn(page)
      await page.keyboard.press('j')
      await hasFocus(page, delivered)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: new RegExp(`Delivered ${to}`), expanded: true }).waitFor()
      await page.getByText(`"email_id": "${sent.body.id}"`).waitFor()
      await page.reload()
      await delivered.waitFor()
      assert.equal(await page.getByRole('button', { name: /^Accepted/ }).count(), 0)

      await page.getByRole('button', { name: 'Workspace', exact: true }).click()
      await page.getByRole('link', { name: 'Show all types' }).click()
      await page.getByRole('button', { name: /^Accepted/ }).waitFor()
    })
  })

  it('have no faults of accessibility, and fit a phone', async () => {
    const to = fresh()
    const { body } = await tenant.send(rawMail({ to: [to] }))
    await tenant.until(body.id, ({ status }) => status === 'delivered')
    const options = { url: system().client.url, session: tenant.session, viewport: 'phone' } as const
    await open(options, async ({ page }) => {
      await page.goto('/events')
      await page.getByRole('button', { name: new RegExp(`Delivered ${to}`) }).click()
      await page.getByText(`"email_id": "${body.id}"`).waitFor()
      await assertAccessible(page)
    })
  })
})
