import assert from 'node:assert/strict'
import { assertAccessible, useBrowser, useDashboard } from '../support/browser.ts'
import { fresh, rawMail, type Tenant } from '../support/client.ts'
import { needsOwnProcess, ownSystem } from '../support/suite.ts'

describe('mailbox in the dashboard', () => {
  needsOwnProcess()
  useDashboard()
  const open = useBrowser()
  let own: Awaited<ReturnType<typeof ownSystem>>
  let tenant: Tenant

  before(async () => {
    own = await ownSystem({ POSTRIDER_ROUTE: 'mailbox:', POSTRIDER_TRUSTED_PROXIES: '' })
    tenant = await own.client.tenant()
  })
  after(() => own?.[Symbol.asyncDispose]())

  const html = '<h1>Thank you</h1><img src="https://elsewhere.example/pixel.png"><script>canary()</script>'
  const attachments = [{ filename: 'terms.txt', content: Buffer.from('The terms').toString('base64') }]

  it('shows mail to its owner as it arrives: search, HTML, text, files, head and bytes', async () => {
    // The frame's policy refuses the image and the script, and the browser reports that.
    const expected = /elsewhere\.example|Blocked script execution/
    await open({ url: own.client.url, session: tenant.session, expected }, async ({ page }) => {
      await page.goto('/mailbox')
      await page.getByText('Waiting for the first message').waitFor()
      await page.getByText(`curl ${own.client.url}/api/v1/emails`).waitFor()
      const to = fresh()
      const sent = await tenant.send(rawMail({ to: [to], subject: 'Your order', html, text: 'Thanks', attachments }))
      assert.equal(sent.status, 202, sent.text)
      await tenant.send(rawMail({ to: [fresh()], subject: 'Another <b>one</b>' }))
      await page.getByRole('link', { name: 'Another <b>one</b>' }).waitFor()

      await page.getByRole('searchbox', { name: 'Search' }).fill('ORDER')
      await page.waitForURL(/q=ORDER/)
      await page.getByRole('link', { name: 'Another' }).waitFor({ state: 'detached' })
      await page.getByRole('searchbox', { name: 'Search' }).press('Escape')
      // The search ends 250 ms later, which would lead back to the list.
      await page.waitForURL((url) => !url.searchParams.has('q'))
      await page.getByRole('heading', { name: 'Mailbox' }).click()
      await page.getByRole('link', { name: 'Your order' }).click()
      await page.getByText('This live message was not sent').waitFor()
      const frame = page.frameLocator('iframe[title="HTML of the email"]')
      await frame.getByRole('heading', { name: 'Thank you' }).waitFor()

      await page.getByRole('tab', { name: 'Text' }).click()
      await page.getByText('Thanks', { exact: true }).waitFor()
      await page.getByRole('tab', { name: 'Files (1)' }).click()
      const downloading = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download terms.txt' }).click()
      assert.equal((await downloading).suggestedFilename(), 'terms.txt')
      await page.getByRole('tab', { name: 'Headers' }).click()
      await page.getByText('Message-ID').waitFor()
      await page.getByRole('tab', { name: 'Raw' }).click()
      await page.getByText('Subject: Your order').waitFor()
      await page.getByRole('link', { name: sent.body.id }).click()
      await page.waitForURL(`**/emails/${sent.body.id}`)
    })
  })

  it('is open without a session on the machine of the service, with system mail', async () => {
    await open({ url: own.client.url }, async ({ page }) => {
      await page.goto('/mailbox')
      await page.getByRole('link', { name: 'Confirm your email address' }).first().click()
      await page.getByRole('tab', { name: 'Text' }).click()
      await page.getByText('/account/confirm-email?token=').waitFor()
      await page.goto('/mailbox?plain')
      await page.getByText('None of them left this service').waitFor()
      await page.getByRole('link', { name: 'Confirm your email address' }).first().click()
      await page.getByRole('link', { name: 'Raw message' }).waitFor()
    })
  })

  it('explains who may see it to a person who is no owner, from another host', async () => {
    const url = own.client.url.replace('localhost', '127.0.0.1')
    const expected = /status of 40[13]/
    // A header of a proxy ends the privilege of this machine.
    await open({ url, expected }, async ({ page, context }) => {
      await context.setExtraHTTPHeaders({ via: '1.1 proxy' })
      await page.goto('/mailbox')
      await page.getByRole('heading', { name: 'Only owners see captured mail' }).waitFor()
      await page.getByRole('link', { name: 'Log in' }).last().click()
      await page.waitForURL(/\/login\?next=%2Fmailbox/)
    })
  })

  it('has no faults of accessibility, and fits a phone', async () => {
    const options = { url: own.client.url, session: tenant.session, viewport: 'phone' } as const
    await open({ ...options, expected: /elsewhere\.example|Blocked script/ }, async ({ page }) => {
      await page.goto('/mailbox')
      for (const name of ['Your order', null]) {
        await page
          .getByRole('link', { name: 'Your order' })
          .or(page.getByRole('tab', { name: 'HTML' }))
          .first()
          .waitFor()
        await assertAccessible(page)
        if (name !== null) await page.getByRole('link', { name }).click()
        if (name !== null) await page.getByText('This live message was not sent').waitFor()
      }
    })
  })
})
