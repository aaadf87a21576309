import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { assertAccessible, useBrowser, useDashboard } from '../support/browser.ts'
import { fresh, rawMail, type Tenant } from '../support/client.ts'
import { colleague } from '../support/people.ts'
import type { ListRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'

type Usage = { monthly: { used: number }; history: { date: string; sends: number }[] }
type Preview = { due_usd: string; lines: { description: string }[] }
type Invoice = { id: string; number: string; total_usd: string }

describe('billing in the dashboard', () => {
  useDashboard()
  const system = useSystem()
  const open = useBrowser()
  let tenant: Tenant

  const read = async <Body>(path: string): Promise<Body> => (await tenant.session.call<Body>({ path })).body

  before(async () => {
    tenant = await system().client.tenant({ monthly: 'plan', daily: 'plan' })
    const sent = await tenant.send(rawMail({ to: [fresh(), fresh()] }))
    assert.equal(sent.status, 202, sent.text)
  })

  it('shows the numbers of the ledger, as a chart, as a table and as a file', async () => {
    const { monthly, history } = await read<Usage>('/api/v1/billing/usage')
    assert.equal(monthly.used, 2)
    await open({ url: system().client.url, session: tenant.session }, async ({ page }) => {
      await page.goto('/overview')
      await page.getByRole('link', { name: /^Free plan/ }).click()
      await page.getByRole('heading', { name: 'Free plan' }).waitFor()
      await page.getByText('2,998 left').waitFor()
      await page.getByText('98 left').first().waitFor()
      await page.getByRole('img', { name: /^Sends by day, .*: 2 in all, at most 2 on a day/ }).waitFor()
      await page.getByRole('button', { name: 'View as table' }).click()
      await page.waitForURL(/view=table/)
      const rows = page.getByRole('table', { name: /^Sends by day/ }).locator('tbody tr')
      await rows.first().waitFor()
      const shown = await rows.evaluateAll((all) =>
        all.map((row) => [row.querySelector('time')?.dateTime, row.querySelector('td')?.textContent]),
      )
      assert.deepEqual(
        shown.filter(([, sends]) => sends !== '0'),
        history.map(({ date, sends }) => [date, String(sends)]),
      )
      assert.equal(shown.length, new Date().getUTCDate())
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'CSV' }).click()
      const [head, ...days] = (await readFile(await (await saved).path(), 'utf8')).trim().split('\r\n')
      assert.equal(head, 'date,sends')
      assert.deepEqual(
        days.filter((day) => !day.endsWith(',0')),
        history.map(({ date, sends }) => `${date},${sends}`),
      )
    })
  })

  it('upgrades for the price that it shows, prints the invoice, caps, downgrades and keeps the plan', async () => {
    const { due_usd, lines } = await read<Preview>('/api/v1/billing/plan/preview?plan=pro')
    await open({ url: system().client.url, session: tenant.session }, async ({ page }) => {
      await page.goto('/billing')
      const dialog = page.getByRole('dialog')
      await page.getByRole('link', { name: 'Upgrade to Pro…' }).click()
      await dialog.getByText(lines[0]?.description ?? '?').waitFor()
      assert.equal((await dialog.locator('dl > div').last().textContent())?.trim(), `Invoiced now$${due_usd}`)
      assert.deepEqual((await read<ListRecord<Invoice>>('/api/v1/billing/invoices')).data, [])
      await dialog.getByRole('button', { name: 'Upgrade to Pro' }).click()
      await page.getByRole('heading', { name: 'Pro plan' }).waitFor()
      const [invoice] = (await read<ListRecord<Invoice>>('/api/v1/billing/invoices')).data
      assert.equal(invoice?.total_usd, due_usd)

      await page.getByRole('link', { name: 'Set a cap…' }).click()
      const cap = dialog.getByRole('textbox', { name: 'Cap in US dollars a month' })
      await cap.fill('5.001')
      await dialog.getByRole('button', { name: 'Set cap' }).click()
      await dialog.getByRole('alert').waitFor()
      await cap.fill('5')
      await dialog.getByText('Allows 5,000 sends beyond the plan, 55,000 in all.').waitFor()
      await dialog.getByRole('button', { name: 'Set cap' }).click()
      await page.getByRole('link', { name: 'Change cap…' }).waitFor()
      const capped = () => read<{ spending_cap_usd: string | null }>('/api/v1/workspace')
      assert.equal((await capped()).spending_cap_usd, '5.00')
      await page.getByRole('button', { name: 'Remove cap…' }).click()
      await dialog.getByRole('button', { name: 'Remove cap' }).click()
      await page.getByRole('link', { name: 'Set a cap…' }).waitFor()
      assert.equal((await capped()).spending_cap_usd, null)

      await page.getByRole('link', { name: 'Downgrade to Free…' }).click()
      await dialog.getByText('At most 3,000 sends a month. This month you used 2 so far.').waitFor()
      await dialog.getByRole('button', { name: 'Downgrade to Free' }).click()
      await page.getByText(/^Free replaces Pro on/).waitFor()
      await page.getByRole('link', { name: 'Keep Pro…' }).click()
      await dialog.getByRole('button', { name: 'Keep Pro' }).click()
      await page.getByRole('link', { name: 'Downgrade to Free…' }).waitFor()
      const { pending_plan } = await read<{ pending_plan: string | null }>('/api/v1/billing/plan')
      assert.equal(pending_plan, null)

      await page.getByRole('link', { name: invoice?.number ?? '?' }).click()
      await page.getByRole('heading', { name: `Invoice ${invoice?.number}` }).waitFor()
      const printed = page.context().waitForEvent('page')
      await page.getByRole('link', { name: 'Printable page' }).click()
      const print = await printed
      await print.getByRole('heading', { name: `Invoice ${invoice?.number}` }).waitFor()
      assert.ok((await print.locator('tfoot').textContent())?.includes(due_usd))
    })
  })

  it('leads from a refused email to the quota that is used up', async () => {
    const used = await system().client.tenant({ monthly: 1, daily: null })
    const sent = await used.send(rawMail())
    assert.equal(sent.status, 202, sent.text)
    // The service refuses the second email.
    const expected = /status of 402/
    await open({ url: system().client.url, session: used.session, expected }, async ({ page }) => {
      await page.goto('/overview')
      await page.getByRole('link', { name: 'The quota of this month is used up' }).waitFor()
      await page.goto(`/emails/${sent.body.id}`)
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Send as a new email…' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
      await page.getByRole('link', { name: 'See usage and plans' }).click()
      await page.getByText('All 1 sends of this month are used.').waitFor()
      await page.getByRole('link', { name: 'Upgrade to Pro', exact: true }).waitFor()
    })
  })

  it('shows a viewer no controls, even if the URL opens them', async () => {
    const { session } = await colleague(system(), tenant, 'viewer')
    await open({ url: system().client.url, session }, async ({ page }) => {
      await page.goto('/billing?plan=free&cap=true')
      await page.getByRole('heading', { name: 'Pro plan' }).waitFor()
      await page.getByText('An owner of the workspace can change the plan.').waitFor()
      await page.getByRole('table', { name: 'Invoices' }).waitFor()
      assert.equal(await page.getByRole('dialog').count(), 0)
      assert.equal(await page.getByText(/Downgrade|Set a cap/).count(), 0)
    })
  })

  it('has no faults of accessibility, and fits a phone, with its dialogs', async () => {
    const options = { url: system().client.url, session: tenant.session, viewport: 'phone' } as const
    await open(options, async ({ page }) => {
      for (const path of ['/billing?view=table', '/billing?plan=free', '/billing?cap=true']) {
        await page.goto(path)
        await page.getByRole('heading', { name: 'Pro plan', includeHidden: true }).waitFor()
        if (!path.includes('view'))
          await page
            .getByRole('dialog')
            .getByText(/^What you lose|^Cap in/)
            .waitFor()
        await assertAccessible(page)
      }
    })
  })
})
