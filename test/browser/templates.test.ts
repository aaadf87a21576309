import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { assertAccessible, toastShown, useBrowser, useDashboard } from '../support/browser.ts'
import type { Tenant } from '../support/client.ts'
import { useSystem } from '../support/suite.ts'

/** Runs if a preview has scripts, or an event handler runs in it. */
const hostile =
  '<p style="color: rgb(1, 2, 3)">Hostile {{name}}</p><img src="x" onerror="console.error(1)"><script>console.error(2);top.location="/docs"</script>'

/**
 * What the console states: what the frame's policy refused, responses with problems of the template, and that it does
 * not exist when it is read again while it is being deleted. The editor once let Chromium put styles into its text,
 * which the policy of the page refused.
 */
const refusals =
  /sandboxed|^(?!.*inline style).*Content Security Policy|status of 422|status of 404 .*\/templates\/tpl_\w+$/s

const frame = (page: Page) => page.frameLocator('iframe[title="Preview of the HTML"]:not([aria-hidden="true"])')

/** Replaces the text of the editor. */
const write = async (page: Page, label: string, text: string): Promise<void> => {
  await page.getByRole('textbox', { name: label }).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}

describe('templates in the dashboard', () => {
  useDashboard()
  const system = useSystem()
  const open = useBrowser()
  let tenant: Tenant

  before(async () => {
    tenant = await system().client.tenant()
  })

  it('are created, changed with a preview, restored and deleted', async () => {
    const options = { url: system().client.url, session: tenant.session, expected: refusals }
    await open(options, async ({ page }) => {
      await page.goto('/templates')
      await page.getByText('No template yet').waitFor()
      await page.getByRole('button', { name: 'Create template' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Receipt')
      const alias = page.getByRole('textbox', { name: 'Alias' })
      await alias.fill('tpl_receipt')
      await page.getByRole('dialog').getByRole('button', { name: 'Create template' }).click()
      await page.getByText('An alias must not start with tpl_').waitFor()
      await alias.fill('receipt')
      await page.getByRole('dialog').getByRole('button', { name: 'Create template' }).click()

      await page.getByRole('heading', { level: 1, name: 'Receipt' }).waitFor()
      await frame(page).getByRole('heading', { name: 'Welcome, name' }).waitFor()

      await write(page, 'HTML of the template', '<p>Thank you</p>\n<p>{{}}</p>')
      await page.getByRole('button', { name: /HTML, line 2, column 4/ }).click()
      await page.locator('.cm-lint-marker-error').waitFor()
      await write(page, 'HTML of the template', hostile)
      await frame(page).getByText('Hostile name').waitFor()
      assert.match(page.url(), /\/templates\/tpl_/)

      await page.getByRole('tab', { name: 'Test data' }).click()
      await page.getByRole('textbox', { name: 'Values as JSON' }).fill('{"name": "Ann"}')
      await page.getByText('The test data has no value for link.').waitFor()
      await page.getByRole('button', { name: 'Add it' }).click()
      await frame(page).getByText('Hostile Ann').waitFor()

      await page.getByRole('button', { name: 'Save' }).click()
      await toastShown(page, 'Version 2 was saved')
      await page.getByRole('tab', { name: 'Versions' }).click()
      await page.locator('.cm-deletedChunk').first().waitFor()
      await page.getByRole('button', { name: /Version 1/ }).click()
      await page.getByRole('button', { name: 'Restore version 1' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
      await toastShown(page, 'Version 1 is the newest version again')
      await page.getByText('Version 3, named').waitFor()

      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Delete template…' }).click()
      await page.getByRole('dialog').getByRole('textbox').fill('Receipt')
      await page.getByRole('button', { name: 'Delete template' }).click()
      await page.getByText('No template yet').waitFor()
    })
  })

  it('have no faults of accessibility, and fit a phone', async () => {
    const json = { name: 'Welcome', subject: 'Hello {{name}}', html_body: '<h1>Hello {{name}}</h1>' }
    const made = await tenant.session.call<{ id: string }>({ path: '/api/v1/templates', json })
    assert.equal(made.status, 201, made.text)
    const options = { url: system().client.url, session: tenant.session, viewport: 'phone' } as const
    await open(options, async ({ page }) => {
      await page.goto(`/templates/${made.body.id}`)
      await frame(page).getByText('Hello name').waitFor()
      await page.locator('.cm-templateTag').first().waitFor()
      await assertAccessible(page)
      await page.getByRole('tab', { name: 'Versions' }).click()
      await page.locator('.cm-content').first().waitFor()
      await assertAccessible(page)
    })
  })
})
