import assert from 'node:assert/strict'
import { assertAccessible, useBrowser, useDashboard } from '../support/browser.ts'
import { rawMail, type Tenant } from '../support/client.ts'
import { type Hook, startHook } from '../support/hooks.ts'
import { colleague } from '../support/people.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

/** Runs if the dashboard shows a response as HTML. */
const hostile = '<img src=x onerror="console.error(1)"><script>console.error(2)</script>'

describe('webhooks in the dashboard', () => {
  useDashboard()
  const system = useSystem()
  const open = useBrowser()
  let tenant: Tenant
  let hook: Hook

  before(async () => {
    tenant = await system().client.tenant()
    hook = await startHook(tenant.session, { description: 'Order system' }, () => ({ status: 200, body: hostile }))
  })
  after(() => hook?.[Symbol.asyncDispose]())

  it('show the secret of a new endpoint once', async () => {
    // The service refuses the first URL.
    const expected = /status of 422/
    await open({ url: system().client.url, session: tenant.session, expected }, async ({ page }) => {
      await page.goto('/webhooks')
      await page.getByRole('button', { name: 'Add endpoint' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: 'URL' }).fill('ftp://example.com')
      await dialog.getByRole('button', { name: 'Add endpoint' }).click()
      await dialog.getByRole('alert').first().waitFor()
      await dialog.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:18080/hooks')
      await dialog.getByText('Chosen events').click()
      await dialog.getByRole('checkbox', { name: /Delivered/ }).uncheck()
      await dialog.getByRole('button', { name: 'Add endpoint' }).click()
      await page.getByText(/^whsec_/).waitFor()
      await page.getByRole('button', { name: 'I have stored it' }).click()
      await page.getByRole('heading', { level: 1, name: 'http://127.0.0.1:18080/hooks' }).waitFor()
      await page.getByText('email.bounced', { exact: true }).waitFor()
      await page
        .getByText(/whsec_|email\.delivered/)
        .first()
        .waitFor({ state: 'detached' })
    })
  })

  it('show payload and response of a delivery, send it again, and replay', async () => {
    const sent = await tenant.send(rawMail())
    assert.equal(sent.status, 202, sent.text)
    await open({ url: system().client.url, session: tenant.session }, async ({ page }) => {
      await page.goto(`/webhooks/${hook.id}`)
      await page.getByRole('link', { name: 'email.accepted' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(`"email_id": "${sent.body.id}"`).waitFor()
      await dialog.getByText('HTTP 200').first().waitFor()
      await dialog.getByText(hostile).first().waitFor()
      const before = hook.seen.length
      await dialog.getByRole('button', { name: 'Send again' }).click()
      await hook.waitFor('the repeated request', () => hook.seen.length > before)
      await page.keyboard.press('Escape')

      await page.getByRole('button', { name: 'Send test event' }).click()
      await dialog.getByRole('button', { name: 'Send test event' }).click()
      await dialog.getByText(/HTTP 200 after/).waitFor()
      await page.keyboard.press('Escape')

      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Replay events…' }).click()
      await page.getByRole('button', { name: 'Start replay' }).click()
      await page.getByRole('heading', { name: /^Replay (in progress|finished)/ }).waitFor()
    })
  })

  // The progress was shown in the browser alone that began the replay.
  it('show the progress of a replay and its result to every member', async () => {
    const released = Promise.withResolvers<void>()
    let isPaused = false
    await using slow = await startHook(
      tenant.session,
      { description: 'Slow', events: ['email.accepted'] },
      async () => {
        if (isPaused) await released.promise
        return {}
      },
    )
    for (let count = 0; count < 3; count++) assert.equal((await tenant.send(rawMail())).status, 202)
    await until('the events arrived', () => (slow.seen.length === 3 ? true : undefined))
    const { url } = system().client
    const viewer = await colleague(system(), tenant, 'viewer')
    await open({ url, session: tenant.session }, ({ page: first }) =>
      open({ url, session: viewer.session }, async ({ page: second }) => {
        for (const page of [first, second]) {
          await page.goto(`/webhooks/${slow.id}`)
          await page.getByRole('link', { name: 'email.accepted' }).first().waitFor()
        }
        isPaused = true
        await first.getByRole('button', { name: 'More actions' }).click()
        await first.getByRole('menuitem', { name: 'Replay events…' }).click()
        await first.getByRole('button', { name: 'Start replay' }).click()
        for (const page of [first, second]) await page.getByRole('heading', { name: 'Replay in progress' }).waitFor()
        released.resolve()
        for (const page of [first, second]) {
          await page.getByRole('heading', { name: 'Replay finished' }).waitFor()
          await page.getByText(/\d events sent, /).waitFor()
        }
        await second.reload()
        await second.getByRole('heading', { name: 'Replay finished' }).waitFor()
      }),
    )
  })

  it('have no faults of accessibility, and fit a phone', async () => {
    const options = { url: system().client.url, session: tenant.session, viewport: 'phone' } as const
    await open(options, async ({ page }) => {
      await page.goto('/webhooks')
      await page.getByText('Order system').waitFor()
      await assertAccessible(page)
      await page.goto(`/webhooks/${hook.id}`)
      await page.getByRole('link', { name: 'email.accepted' }).first().click()
      await page.getByRole('dialog').getByText('HTTP 200').first().waitFor()
      await assertAccessible(page)
    })
  })
})
