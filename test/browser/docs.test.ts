import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { assertAccessible, useBrowser, useDashboard, useSharedPage } from '../support/browser.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

const firstProgram = (page: Page) =>
  page.locator('#sendEmail').locator('xpath=ancestor::section').locator('pre:visible')

/**
 * Waits until the text of an element matches, and returns the match: scripts change a program after the action or the
 * load.
 */
const shows = (program: Locator, text: RegExp): Promise<RegExpExecArray> =>
  until(`a program with ${text}`, async () => text.exec(await program.innerText()) ?? undefined)

/** Everything that a browser stores for longer than the tab. */
const permanent = (page: Page) => page.evaluate('JSON.stringify({ ...localStorage })') as Promise<string>

describe('documentation in a browser', () => {
  useDashboard()
  const system = useSystem()
  const open = useBrowser()
  const asReader = useSharedPage(open, () => ({ url: system().client.url }))

  it('searches by keyboard and opens a result', () =>
    asReader(async ({ page }) => {
      await page.goto('/docs')
      const field = page.getByRole('combobox', { name: 'Search the documentation' })
      await page.keyboard.press('/')
      await page.keyboard.type('sendBatch')
      await page.getByRole('option', { selected: true }).getByText('POST /api/v1/emails/batch').waitFor()
      await assertAccessible(page)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/docs/reference/emails#sendBatch')
      await page.keyboard.press('Control+k')
      await page.locator('input[name="q"]:focus').waitFor()
      await field.fill('webhook')
      await page.getByRole('option').nth(1).waitFor()
      await page.keyboard.press('ArrowDown')
      await page
        .getByRole('option')
        .nth(1)
        .and(page.getByRole('option', { selected: true }))
        .waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('option').first().waitFor({ state: 'hidden' })
    }))

  it('leads from the fragments of the former page to the operation', () =>
    asReader(async ({ page }) => {
      await page.goto('/docs#cancelEmail')
      await page.waitForURL('**/docs/reference/emails#cancelEmail')
      await page.goto('/docs#object-Problem')
      await page.waitForURL('**/docs/reference/objects#object-Problem')
    }))

  it('shows all programs in the chosen language, also on the next page', () =>
    asReader(async ({ page }) => {
      await page.goto('/docs/reference/emails')
      await shows(firstProgram(page).first(), /^curl /)
      await page.getByRole('radio', { name: 'Python' }).first().check()
      await shows(firstProgram(page).first(), /^import json/)
      await page.goto('/docs/quickstart')
      await shows(page.locator('pre[data-language="python"]:visible').first(), /^import json/)
      await page.getByRole('radio', { name: 'Python', checked: true }).first().waitFor()
    }))

  it('puts a new test key of the reader into the programs of this tab, and removes it', async () => {
    const { session } = await system().client.tenant()
    await open({ url: system().client.url, session }, async ({ page, context }) => {
      await page.goto('/docs/reference/emails')
      await page.getByRole('button', { name: 'Use a test key' }).click()
      const dialog = page.getByRole('dialog', { name: 'Use a test key' })
      await dialog.getByText(session.record.workspace.name).waitFor()
      await assertAccessible(page)
      await dialog.getByRole('button', { name: 'Create a test key' }).click()
      await dialog.waitFor({ state: 'hidden' })
      const [key = ''] = await shows(firstProgram(page).first(), /pr_test_\w{23,}/)
      const { body } = await session.call<{ data: { mode: string; expires_at: string | null; scopes: string[] }[] }>({
        path: '/api/v1/api-keys',
      })
      const made = body.data[0] ?? assert.fail('no key')
      assert.equal(made.mode, 'test')
      assert.ok(Date.parse(made.expires_at ?? '') - Date.now() <= 86_400_000)
      assert.ok(!made.scopes.includes('domains:write'))

      await page.goto('/docs/quickstart')
      await shows(page.locator('pre').first(), new RegExp(key))
      assert.ok(!(await permanent(page)).includes(key))
      const other = await context.newPage()
      await other.goto('/docs/quickstart')
      assert.ok(!(await other.locator('pre').first().innerText()).includes(key))

      await page.getByRole('button', { name: /^Test key ending in/ }).click()
      await page.getByRole('button', { name: 'Remove the key' }).click()
      await shows(page.locator('pre').first(), /pr_test_\.\.\./)
    })
  })

  it('accepts a pasted test key without a session, and no live key', async () => {
    const { makeKey } = await system().client.tenant()
    const [live, test] = [await makeKey(), await makeKey({ mode: 'test' })]
    await open({ url: system().client.url }, async ({ page }) => {
      await page.goto('/docs/reference/emails')
      await page.getByRole('button', { name: 'Use a test key' }).click()
      const dialog = page.getByRole('dialog', { name: 'Use a test key' })
      await dialog.getByRole('link', { name: 'Log in' }).waitFor()
      const field = dialog.getByRole('textbox', { name: 'A test key that you have' })
      await field.fill(live.key)
      await field.press('Enter')
      await dialog.getByText('This is a live key').waitFor()
      await field.fill(test.key)
      await field.press('Enter')
      await dialog.waitFor({ state: 'hidden' })
      await shows(firstProgram(page).first(), new RegExp(test.key))
    })
  })

  it('has its navigation in a layer on a phone', () =>
    open({ url: system().client.url, viewport: 'phone' }, async ({ page }) => {
      await page.goto('/docs/quickstart')
      const link = page
        .getByRole('navigation', { name: 'Documentation' })
        .getByRole('link', { name: 'Webhooks' })
        .first()
      assert.equal(await link.isVisible(), false)
      await page.getByRole('button', { name: 'Menu' }).click()
      await link.waitFor()
      await assertAccessible(page)
      await page.keyboard.press('Escape')
      await link.waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: 'Menu' }).click()
      await link.click()
      await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    }))
})

describe('documentation without scripts', () => {
  useDashboard()
  const system = useSystem()
  const open = useBrowser()

  it('shows programs in tabs, opens its menu and searches', () =>
    open({ url: system().client.url }, async ({ context }) => {
      const browser = context.browser() ?? assert.fail('no browser')
      const plain = await browser.newContext({ baseURL: system().client.url, javaScriptEnabled: false })
      try {
        const page = await plain.newPage()
        await page.goto('/docs/reference/emails')
        await shows(firstProgram(page).first(), /^curl /)
        assert.equal(await page.getByRole('button', { name: 'Use a test key' }).count(), 0)
        await page.getByRole('radio', { name: 'Node' }).first().check()
        await shows(firstProgram(page).first(), /^const response/)
        const field = page.getByRole('searchbox', { name: 'Search the documentation' })
        await field.fill('idempotency')
        await field.press('Enter')
        await page
          .getByRole('link', { name: /^Idempotency/ })
          .first()
          .click()
        await page.getByRole('heading', { level: 1, name: 'Idempotency' }).waitFor()
        await page.setViewportSize({ width: 390, height: 844 })
        await page.getByRole('button', { name: 'Menu' }).click()
        await page.getByRole('link', { name: 'Quickstart' }).first().click()
        await page.getByRole('heading', { level: 1, name: 'Quickstart' }).waitFor()
      } finally {
        await plain.close()
      }
    }))
})
