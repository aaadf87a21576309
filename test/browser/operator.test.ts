import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import {
  hasFocus,
  isTrue,
  type TestPage,
  toastShown,
  useBrowser,
  useDashboard,
  useSharedPage,
} from '../support/browser.ts'
import { fresh, freshDomain, isFinal, rawMail, type Tenant } from '../support/client.ts'
import { parkEmail, parkedPath } from '../support/parkEmail.ts'
import { operatorToken } from '../support/standalone.ts'
import { useSystem } from '../support/suite.ts'

/** Gives the tab the token, as the login of the operator does. */
const script = `sessionStorage.setItem('postrider.operator', ${JSON.stringify(operatorToken)})`

const enterToken = async (page: Page, token: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Operator token' }).fill(token)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Parked mail in the list, even behind a dialog. */
const rowOf = (page: Page, id: string) => page.getByRole('listitem', { includeHidden: true }).filter({ hasText: id })

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

describe('the operator in the dashboard', () => {
  useDashboard()
  const system = useSystem()
  const open = useBrowser()
  const asOperator = useSharedPage(open, () => ({ url: system().client.url, script }))
  let tenant: Tenant

  before(async () => {
    tenant = await system().client.tenant()
  })

  const controls = async () => {
    const path = `/api/v1/operator/workspaces/${tenant.workspace.id}`
    return (await system().client.withOperatorToken().call<Record<string, unknown>>({ path })).body
  }

  it('needs the token, which stays in the tab', () =>
    open({ url: system().client.url }, async ({ page, context, requests }) => {
      await page.goto(`/operator/workspaces/${tenant.workspace.id}`)
      await enterToken(page, 'wrong')
      await page.getByText('The service does not accept this token.').waitFor()
      await enterToken(page, operatorToken)
      // It continues where it was.
      await heading(page, tenant.workspace.name)
      await page.reload()
      await heading(page, tenant.workspace.name)
      assert.equal(
        await page.evaluate('JSON.stringify(localStorage) + document.cookie + location.href').then(has),
        false,
      )
      assert.ok(!requests.some(({ url }) => has(url)))
      const other = await context.newPage()
      await other.goto('/operator')
      await other.getByRole('textbox', { name: 'Operator token' }).waitFor()
      await page.getByRole('button', { name: /By the operator token/ }).click()
      await page.getByRole('menuitem', { name: 'Forget the token' }).click()
      await page.getByRole('textbox', { name: 'Operator token' }).waitFor()
      assert.equal(await page.evaluate('JSON.stringify(sessionStorage)').then(has), false)
    }))

  it('finds a workspace, changes its limits, stops and resumes its mail', () =>
    asOperator(async ({ page }) => {
      await page.goto('/operator')
      await page.getByRole('searchbox', { name: 'Search' }).fill(tenant.workspace.id)
      // Until the filtered list is shown, the former one is, in which other workspaces have the same name.
      const path = `/operator/workspaces/${tenant.workspace.id}`
      const shown = `JSON.stringify([...document.querySelectorAll('main tbody a')].map((one) => one.getAttribute('href')))`
      await isTrue(page, 'the list has this workspace only', `${shown} === '${JSON.stringify([path])}'`)
      await page.getByRole('link', { name: tenant.workspace.name }).click()
      await heading(page, tenant.workspace.name)
      const dialog = page.getByRole('dialog')

      await page.getByRole('button', { name: 'Change limits…' }).click()
      await dialog.getByLabel('Sends a month', { exact: true }).selectOption('number')
      await dialog.getByRole('button', { name: 'Change limits' }).click()
      await dialog.getByText('Enter a number.').waitFor()
      await dialog.getByLabel('Number: Sends a month').fill('123456')
      await dialog.getByRole('button', { name: 'Change limits' }).click()
      await page.getByText('123,456').waitFor()
      // The others stay.
      assert.deepEqual((await controls())['limits'], { monthly: 123_456, daily: null, rate: null, burst: null })

      await page.getByRole('button', { name: 'Stop mail…' }).click()
      await dialog.getByRole('textbox', { name: /Reason/ }).fill('Complaints')
      await dialog.getByRole('button', { name: 'Stop mail' }).click()
      await page.getByText('Its users see the reason: Complaints').waitFor()
      assert.equal((await controls())['suspended_reason'], 'Complaints')

      await page.getByRole('button', { name: 'Resume mail…' }).click()
      await dialog.getByRole('button', { name: 'Resume mail' }).click()
      await page.getByRole('button', { name: 'Stop mail…' }).waitFor()
      assert.equal((await controls())['suspended'], false)

      await page.getByRole('tab', { name: 'Audit log' }).click()
      await page
        .getByRole('button', { name: /^Changed limits/ })
        .first()
        .waitFor()
    }))

  it('deletes a workspace by its name, and restores it', () =>
    asOperator(async ({ page }) => {
      await page.goto(`/operator/workspaces/${tenant.workspace.id}`)
      await heading(page, tenant.workspace.name)
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Delete workspace…' }).click()
      assert.ok(await dialog.getByRole('button', { name: 'Delete workspace' }).isDisabled())
      await dialog.getByRole('textbox').fill(tenant.workspace.name)
      await dialog.getByRole('button', { name: 'Delete workspace' }).click()
      await page.getByText(/^It is deleted/).waitFor()
      await page.getByRole('button', { name: 'Restore…' }).click()
      await dialog.getByRole('button', { name: 'Restore workspace' }).click()
      await page.getByRole('button', { name: 'Stop mail…' }).waitFor()
      assert.equal((await controls())['deletes_at'], null)
    }))

  it('marks an invoice as paid, and corrects the next one', async () => {
    const upgraded = await tenant.session.call({ path: '/api/v1/billing/plan', json: { plan: 'pro' } })
    assert.equal(upgraded.status, 200, upgraded.text)
    await asOperator(async ({ page }) => {
      await page.goto(`/operator/workspaces/${tenant.workspace.id}?tab=invoices`)
      await page.getByRole('link', { name: /^PR-/ }).click()
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'Mark as paid…' }).click()
      await dialog.getByRole('button', { name: 'Mark as paid' }).click()
      await page.getByText('Its status does not change any more.').waitFor()

      await page.getByRole('link', { name: tenant.workspace.name }).click()
      await page.getByRole('button', { name: 'Correct…' }).click()
      await dialog.getByText('Next invoice').click()
      await dialog.getByRole('textbox', { name: 'US dollars' }).fill('-5.00')
      await dialog.getByRole('textbox', { name: 'Reason' }).fill('Credit for the outage')
      await dialog.getByRole('button', { name: 'Correct' }).click()
      await toastShown(page, 'It is on the next invoice')
    })
  })

  it('disables a user, whose session ends, and enables the user', async () => {
    const email = fresh('owner')
    const signedUp = await system().client.signUp({ email })
    const session = system().client.session(signedUp)
    await asOperator(async ({ page }) => {
      await page.goto(`/operator/users?q=${encodeURIComponent(email)}`)
      await page.getByRole('link', { name: email }).click()
      await heading(page, email)
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'Disable user…' }).click()
      await dialog.getByRole('button', { name: 'Disable user' }).click()
      await page.getByText('This person cannot log in.').waitFor()
      assert.equal((await session.call({ path: '/api/v1/auth/session' })).status, 401)
      await page.getByRole('button', { name: 'Enable user…' }).click()
      await dialog.getByRole('button', { name: 'Enable user' }).click()
      await page.getByRole('button', { name: 'Disable user…' }).waitFor()
    })
  })

  /** Sends mail that waits for an hour. */
  const sendLater = async (over: Record<string, unknown> = {}): Promise<string> => {
    const { status, body, text } = await tenant.send(rawMail({ scheduled_at: 'PT1H', ...over }))
    assert.equal(status, 202, text)
    return body.id
  }

  it('shows what waits by lane and destination, and by how much of it', async () => {
    // Domains with many recipients are first, and other mail may leave the queue before the page shows it.
    const domain = freshDomain()
    await sendLater({ to: Array.from({ length: 20 }, () => fresh('queue', domain)) })
    await asOperator(async ({ page }) => {
      await page.goto('/operator/queues')
      const lanes = page.getByRole('table', { name: 'Lanes' })
      await lanes.getByRole('cell', { name: 'Transactional' }).waitFor()
      await lanes.getByRole('cell', { name: 'Marketing' }).waitFor()
      await page.getByText(/^(All waiting mail is counted|A sample of \d+ of [\d,]+ waiting emails)/).waitFor()
      await page.getByRole('table', { name: 'Destinations' }).getByText(domain, { exact: true }).first().waitFor()
      await page
        .getByRole('link', { name: /parked/ })
        .last()
        .click()
      await heading(page, 'Parked mail')
    })
  })

  const openParked = (id: string, use: (opened: TestPage) => Promise<void>, openPage = asOperator) =>
    openPage(async (opened) => {
      await opened.page.goto('/operator/parked')
      await rowOf(opened.page, id).getByRole('link', { name: tenant.workspace.id }).waitFor()
      await use(opened)
      await rowOf(opened.page, id).waitFor({ state: 'detached' })
    })

  it('releases parked mail, which is then delivered', async () => {
    const id = await sendLater()
    await parkEmail(system(), id)
    await openParked(id, async ({ page }) => {
      await rowOf(page, id)
        .getByRole('button', { name: /^Release…/ })
        .click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(/^It is due again immediately/).waitFor()
      await dialog.getByRole('button', { name: 'Release email' }).click()
      await toastShown(page, 'The email is in the queue')
    })
    // Its record did not change, so it waits for its scheduled time.
    const path = `/api/v1/emails/${id}`
    const moved = await tenant.api.call({ method: 'PATCH', path, json: { scheduled_at: 'PT0S' } })
    assert.equal(moved.status, 200, moved.text)
    assert.equal((await tenant.until(id, isFinal)).status, 'delivered')
  })

  it('drops parked mail by its id', async () => {
    const id = await sendLater()
    await parkEmail(system(), id)
    await openParked(id, async ({ page }) => {
      await rowOf(page, id)
        .getByRole('button', { name: /^Drop…/ })
        .click()
      const dialog = page.getByRole('dialog')
      assert.ok(await dialog.getByRole('button', { name: 'Drop email' }).isDisabled())
      await dialog.getByRole('textbox').fill(id)
      await dialog.getByRole('button', { name: 'Drop email' }).click()
      await toastShown(page, 'The email has ended')
    })
    assert.equal((await tenant.get(id)).status, 'failed')
  })

  it('moves the focus to the next row when a decision ends one', async () => {
    const [id, next] = [await sendLater(), await sendLater()]
    for (const one of [next, id]) await parkEmail(system(), one)
    await openParked(id, async ({ page }) => {
      const button = (of: string, name: RegExp) => rowOf(page, of).getByRole('button', { name })
      await button(next, /^Release…/).waitFor()
      await button(id, /^Release…/).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Release email' }).click()
      await hasFocus(page, button(next, /^Release…/))
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Release email' }).click()
      await rowOf(page, next).waitFor({ state: 'detached' })
    })
  })

  it('reports that mail is not parked any more', async () => {
    const id = await sendLater()
    await parkEmail(system(), id)
    const decide = async ({ page }: TestPage): Promise<void> => {
      await rowOf(page, id)
        .getByRole('button', { name: /^Release…/ })
        .click()
      const path = `${parkedPath}/${id}/drop`
      const dropped = await system().client.withOperatorToken().call({ method: 'POST', path })
      assert.equal(dropped.status, 200, dropped.text)
      await page.getByRole('dialog').getByRole('button', { name: 'Release email' }).click()
      await toastShown(page, 'The email is not parked any more')
    }
    await openParked(id, decide, (use) => open({ url: system().client.url, script, expected: /status of 409/ }, use))
    assert.equal((await tenant.get(id)).status, 'failed')
  })

  it('is named on a phone, and names only records that the sender domain has', () =>
    open({ url: system().client.url, viewport: 'phone', script }, async ({ page }) => {
      await page.goto('/operator/sender-domain')
      const records = page.getByRole('region', { name: 'Required records' })
      const text = await records.getByText(/^Copy each name and value/).textContent()
      const [, part, name = ''] = /“(.+)”, not “(.+)”/.exec(text ?? '') ?? assert.fail(String(text))
      assert.ok(name.startsWith(`${part}.`), String(text))
      await records.locator('dd').getByText(name, { exact: true }).waitFor({ state: 'attached' })
      await page.getByRole('banner').getByText('Operator', { exact: true }).waitFor()
    }))

  it('is in the navigation of a person only in a tab with the token', () => {
    // After the logout the page checks whether the person is an operator.
    const expected = /status of 401 .*\/api\/v1\/auth\/session$/
    return open({ url: system().client.url, session: tenant.session, expected }, async ({ page }) => {
      await page.goto('/keys')
      await page.getByRole('link', { name: 'Webhooks' }).waitFor()
      assert.equal(await page.getByRole('link', { name: 'Operator' }).count(), 0)
      await page.goto('/operator')
      await enterToken(page, operatorToken)
      await heading(page, 'Workspaces')
      await page.goto('/keys')
      await page.getByRole('link', { name: 'Operator' }).click()
      await heading(page, 'Workspaces')
      // The end of the session is the end of the token in this tab.
      await page.goto('/keys')
      await page.getByRole('button', { name: /^Account/ }).click()
      await page.getByRole('menuitem', { name: 'Log out' }).click()
      await heading(page, 'Log in')
      await page.goto('/operator')
      await page.getByRole('textbox', { name: 'Operator token' }).waitFor()
    })
  })
})

const has = (text: unknown): boolean => String(text).includes(operatorToken)
