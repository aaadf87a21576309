import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import {
  focusVisible,
  hasFocus,
  isDrawn,
  isTrue,
  tabTo,
  toastShown,
  useBrowser,
  useDashboard,
} from '../support/browser.ts'
import { rawMail } from '../support/client.ts'
import { type DnsServer, startDnsServer } from '../support/dnsServer.ts'
import { needsOwnProcess, ownSystem, useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

/** Goes to a control by Tab, checks that a person sees where the focus is, and presses a key. */
const press = async (page: Page, name: RegExp, key = 'Enter'): Promise<void> => {
  await tabTo(page, name)
  await focusVisible(page)
  await page.keyboard.press(key)
}

/** Runs an entry of the palette. */
const run = async (page: Page, text: string, entry: string): Promise<void> => {
  await isDrawn(page)
  await page.keyboard.press('Control+k')
  await hasFocus(page, page.getByRole('combobox', { name: /^Search/ }))
  await page.keyboard.type(text)
  await page.getByRole('option', { name: entry, selected: true }).waitFor()
  await page.keyboard.press('Enter')
}

const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/** Waits until the focus is where the content of a new screen begins. */
const isAtContent = (page: Page): Promise<true> =>
  isTrue(page, 'the focus is in the content', `document.activeElement?.closest('main') !== null`)

describe('dashboard by keyboard', () => {
  useDashboard()
  needsOwnProcess()
  const open = useBrowser()
  let dns: DnsServer
  let own: Awaited<ReturnType<typeof ownSystem>>

  before(async () => {
    dns = await startDnsServer({ zones: { 'keyboard.example': { names: {} } } })
    own = await ownSystem({ POSTRIDER_DNS: dns.address })
  })
  after(async () => {
    await own?.[Symbol.asyncDispose]()
    await dns?.[Symbol.asyncDispose]()
  })

  it('leads from the link of the first start to a sent email, a domain and a template', async () => {
    const { standalone, client } = own
    const link = await until(
      'the link is printed',
      () => /http:\S+\/account\/sign-in\?token=[\w-]{43}/.exec(standalone.output()) ?? undefined,
    )
    await open({ url: standalone.url }, async ({ page }) => {
      await page.goto(link[0])
      await press(page, /^Log in/)
      await heading(page, 'Getting started')

      await run(page, 'create key', 'Create API key')
      await hasFocus(page, page.getByRole('dialog').getByRole('textbox', { name: 'Name' }))
      await page.keyboard.type('Laptop')
      await press(page, /^Live/, 'ArrowRight')
      await press(page, /^Create key/)
      const shown = page.getByText(/^pr_test_\w+$/)
      await shown.waitFor()
      const key = (await shown.textContent()) ?? ''
      await press(page, /^I have stored it/)
      await shown.waitFor({ state: 'detached' })

      const sent = await client
        .withKey(key)
        .call({ path: '/api/v1/emails', json: rawMail({ subject: 'First of all' }) })
      assert.equal(sent.status, 202, sent.text)
      await isDrawn(page)
      // The second key has to follow within 1.5 s.
      await Promise.all([page.keyboard.press('g'), page.keyboard.press('e')])
      await page.getByRole('link', { name: 'First of all' }).waitFor()
      await isAtContent(page)
      await isDrawn(page)
      await page.keyboard.press('j')
      await hasFocus(page, page.getByRole('link', { name: 'First of all' }))
      await focusVisible(page)
      await page.keyboard.press('Enter')
      await heading(page, 'First of all')
      await press(page, /^Timeline/, 'ArrowRight')
      await page.getByRole('tab', { name: 'Preview', selected: true }).waitFor()

      await run(page, 'add domain', 'Add domain')
      await hasFocus(page, page.getByRole('textbox', { name: 'Domain' }))
      await page.keyboard.type('keyboard.example')
      await page.keyboard.press('Enter')
      await heading(page, 'keyboard.example')
      await isAtContent(page)
      await press(page, /^Check now/)
      await page.getByText('0 of 2 required records found').waitFor()
      await press(page, /^Copy/)

      await run(page, 'create template', 'Create template')
      await hasFocus(page, page.getByRole('textbox', { name: 'Name' }))
      await page.keyboard.type('Receipt')
      await page.keyboard.press('Enter')
      await heading(page, 'Receipt')
      await page.getByRole('textbox', { name: 'HTML of the template' }).waitFor()
      await press(page, /^HTML of the template/, 'Control+a')
      await page.keyboard.type('<p>jk ')
      // A slow machine would also preview what is typed up to then: braces without an end are refused.
      await page.keyboard.insertText('{{name}}')
      await page.keyboard.type('</p>')
      const frame = page.frameLocator('iframe[title="Preview of the HTML"]:not([aria-hidden="true"])')
      await frame.getByText('jk name').waitFor()
      await page.keyboard.press('Control+s')
      await toastShown(page, 'Version 2 was saved')
      // The editor does not trap the focus.
      await tabTo(page, /Mobile|Phone/i)

      await page.keyboard.press('Shift+Tab')
      await run(page, 'keyb', 'keyboard.example')
      await heading(page, 'keyboard.example')
      await run(page, 'rece', 'Receipt')
      await heading(page, 'Receipt')
      await run(page, 'log out', 'Log out')
      await heading(page, 'Log in')
    })
  })
})

describe('login by keyboard', () => {
  useDashboard()
  const system = useSystem()
  const open = useBrowser()

  it('starts in the first field, and the first press of Tab on a screen leads past the navigation', async () => {
    const { email, password } = await system().client.tenant()
    await open({ url: system().client.url }, async ({ page }) => {
      await page.goto('/emails')
      await hasFocus(page, page.getByRole('textbox', { name: 'Email' }))
      await page.keyboard.type(email)
      await tabTo(page, /^Password/, 2)
      await page.keyboard.type(password)
      await page.keyboard.press('Enter')
      await heading(page, 'Emails')
      await press(page, /^Skip to content/)
      await tabTo(page, /^Search/, 2)
    })
  })
})
