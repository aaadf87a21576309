import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { assertAccessible, toastShown, useBrowser, useDashboard } from '../support/browser.ts'
import type { Tenant } from '../support/client.ts'
import { makeOperator, operatorsPath, operatorUser, secured, withoutFactor } from '../support/operatorUser.ts'
import { colleague } from '../support/people.ts'
import type { ListRecord } from '../support/records.ts'
import { operatorToken } from '../support/standalone.ts'
import { useSystem } from '../support/suite.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

describe('operators in the dashboard', () => {
  useDashboard()
  const system = useSystem()
  const open = useBrowser()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  it('are added by address and removed by name, with the token', async () => {
    const { session, email } = await colleague(system(), tenant, 'viewer')
    const listed = async () => {
      const { body } = await system()
        .client.withOperatorToken()
        .call<ListRecord<{ email: string }>>({
          path: `${operatorsPath}?limit=100`,
        })
      return body.data.some((one) => one.email === email)
    }
    await open({ url: system().client.url, expected: /status of 422/ }, async ({ page }) => {
      await page.addInitScript(`sessionStorage.setItem('postrider.operator', ${JSON.stringify(operatorToken)})`)
      await page.goto('/operator/operators')
      const dialog = page.getByRole('dialog')
      const field = dialog.getByRole('textbox', { name: 'Email' })
      const submit = dialog.getByRole('button', { name: 'Add operator' })
      await page.getByRole('button', { name: 'Add an operator' }).click()
      await field.fill(`no-${email}`)
      await submit.click()
      await dialog.getByText(/^No user has this address/).waitFor()
      await field.fill(email)
      await submit.click()
      await dialog.getByText(/^The user has no two-factor authentication/).waitFor()
      await secured(system(), session)
      await submit.click()
      await toastShown(page, `${email} is an operator`)
      await page.getByRole('link', { name: email }).waitFor()
      assert.equal(await listed(), true)

      await page.getByRole('button', { name: `Remove… ${email}` }).click()
      assert.ok(await dialog.getByRole('button', { name: 'Remove operator' }).isDisabled())
      await dialog.getByRole('textbox').fill(email)
      await dialog.getByRole('button', { name: 'Remove operator' }).click()
      await page.getByRole('link', { name: email }).waitFor({ state: 'detached' })
      assert.equal(await listed(), false)
    })
  })

  it('open the area with their session, and leave a line with their name', async () => {
    const { session, email, id } = await operatorUser(system(), tenant)
    await open({ url: system().client.url, session, expected: /status of 401/ }, async ({ page }) => {
      await page.goto('/keys')
      await page.getByRole('button', { name: /^Account/ }).click()
      await page.getByRole('menuitem', { name: 'Operator' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'Operator' }).click()
      await heading(page, 'Workspaces')
      assert.equal(await page.evaluate('sessionStorage.getItem("postrider.operator")'), null)

      await page.goto(`/operator/workspaces/${tenant.workspace.id}`)
      await heading(page, tenant.workspace.name)
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'Stop mail…' }).click()
      await dialog.getByRole('button', { name: 'Stop mail' }).click()
      await page.getByRole('button', { name: 'Resume mail…' }).click()
      await dialog.getByRole('button', { name: 'Resume mail' }).click()
      await page.getByRole('button', { name: 'Stop mail…' }).waitFor()
      await page.goto('/operator/audit-log')
      await page.getByText(`Operator ${email}`).first().waitFor()

      // Only the token adds and removes operators.
      await page.getByRole('link', { name: 'Operators' }).click()
      await page.getByRole('link', { name: email }).waitFor()
      await page.getByText('You', { exact: true }).waitFor()
      assert.equal(await page.getByRole('button', { name: /^(Add an operator|Remove)/ }).count(), 0)

      const removal = { method: 'DELETE', path: `${operatorsPath}/${id}` } as const
      assert.equal((await system().client.withOperatorToken().call(removal)).status, 204)
      await page.getByRole('link', { name: 'Users' }).click()
      await page.getByRole('textbox', { name: 'Operator token' }).waitFor()
      // The session goes on, without the area.
      await page.goto('/keys')
      await page.getByRole('link', { name: 'Webhooks' }).waitFor()
      assert.equal(await page.getByRole('link', { name: 'Operator' }).count(), 0)
    })
  })

  it('an operator logs out of the operator area', async () => {
    const { session, email } = await operatorUser(system(), tenant)
    await open({ url: system().client.url, session, expected: /status of 401/ }, async ({ page }) => {
      await page.goto('/operator/health')
      await page.getByRole('button', { name: email }).click()
      await page.getByRole('menuitem', { name: 'Log out' }).click()
      await heading(page, 'Log in')
      await page.goto('/operator')
      await page.getByRole('textbox', { name: 'Operator token' }).waitFor()
    })
    assert.equal((await session.call({ path: '/api/v1/auth/session' })).status, 401)
  })

  it('are sent to two-factor authentication while it is off', async () => {
    const { session, recovery } = await operatorUser(system(), tenant)
    await withoutFactor(session, recovery)
    await open({ url: system().client.url, session }, async ({ page }) => {
      await page.goto('/operator/workspaces')
      await page.getByText(/^Operators need two-factor authentication/).waitFor()
      await assertAccessible(page)
      await page.getByRole('link', { name: 'Set up two-factor authentication' }).click()
      await heading(page, 'Two-factor authentication')
    })
  })

  it('must log in again if their session passed no second factor', async () => {
    const { session: first, email } = await colleague(system(), tenant, 'viewer')
    const json = { email, password: tenant.password }
    const second = system().client.session(await system().client.call({ path: '/api/v1/auth/login', json }))
    await secured(system(), first)
    await makeOperator(system(), email)
    await open({ url: system().client.url, session: second, expected: /status of 40[13]/ }, async ({ page }) => {
      await page.goto('/operator/workspaces')
      await page.getByRole('button', { name: 'Log out and log in again' }).click()
      await heading(page, 'Log in')
    })
  })
})
