import assert from 'node:assert/strict'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { assertAccessible, toastShown, useBrowser, useDashboard } from '../support/browser.ts'
import { fresh } from '../support/client.ts'
import { colleague, invite } from '../support/people.ts'
import { useSystem } from '../support/suite.ts'
import { seldom, until } from '../support/until.ts'

const logIn = async (page: Page, email: string, given: string): Promise<void> => {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(given)
  await page.getByRole('button', { name: 'Log in' }).click()
}

describe('account in the dashboard', () => {
  useDashboard()
  const system = useSystem()
  const open = useBrowser()

  it('gets a second factor, whose recovery codes are shown once and each log in once', async () => {
    const tenant = await system().client.tenant()
    const codes: string[] = []
    await open({ url: system().client.url, session: tenant.session }, async ({ page }) => {
      await page.goto('/settings/two-factor')
      await page.getByRole('button', { name: 'Set up…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('img', { name: 'QR code for the app' }).waitFor()
      const secret = (await dialog.locator('.select-all').innerText()).replaceAll(/\s/g, '')
      await dialog.getByRole('textbox').fill(new TOTP({ secret }).generate())
      await dialog.getByRole('button', { name: 'Turn on' }).click()
      const list = page.getByRole('list', { name: 'Recovery codes' })
      await list.waitFor()
      codes.push(...(await list.getByRole('listitem').allInnerTexts()))
      // It cannot be closed by accident.
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'I have stored them' }).click()
      await page.getByRole('button', { name: 'Turn off…' }).waitFor()
      assert.equal(codes.length, 10)
      await page.getByText(codes[0] ?? '').waitFor({ state: 'detached' })
      // The new token for changes is in use.
      await page.goto('/settings/notifications')
      const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
      await page.getByRole('checkbox', { name: /^Webhooks/ }).uncheck()
      assert.equal((await saved).status(), 200)
    })
    // The login without a code is refused first.
    await open({ url: system().client.url, expected: /status of 40[13]/ }, async ({ page }) => {
      await logIn(page, tenant.email, tenant.password)
      await page.getByRole('heading', { name: 'Second factor' }).waitFor()
      await page.getByRole('button', { name: 'Use a recovery code' }).click()
      await page.getByLabel('Recovery code').fill(codes[1] ?? '')
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.waitForURL(/getting-started|overview/)
      await page.goto('/settings/two-factor')
      await page.getByRole('button', { name: 'Turn off…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox').fill(codes[2] ?? '')
      await dialog.getByRole('button', { name: 'Turn off' }).click()
      await page.getByRole('button', { name: 'Set up…' }).waitFor()
    })
  })

  it('leads a member to the second factor where the workspace requires it', async () => {
    const tenant = await system().client.tenant()
    const member = await colleague(system(), tenant, 'member')
    const path = '/api/v1/workspace'
    const required = await tenant.session.call({ method: 'PATCH', path, json: { require_totp: true } })
    assert.equal(required.status, 200, required.text)
    await open({ url: system().client.url, session: member.session }, async ({ page }) => {
      await page.goto('/emails')
      await page.getByText('Acme requires two-factor authentication.').waitFor()
      await page.getByRole('link', { name: 'Overview' }).click()
      await page.getByRole('heading', { level: 1, name: 'Two-factor authentication' }).waitFor()
      await page.getByRole('link', { name: 'Sessions' }).click()
      await page.getByText('This session').waitFor()
    })
  })

  it('shows a choice of notifications as the API has it, even after another tab changed it', async () => {
    const tenant = await system().client.tenant()
    await open({ url: system().client.url, session: tenant.session }, async ({ page }) => {
      await page.clock.install()
      await page.goto('/settings/notifications')
      const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
      await page.getByRole('checkbox', { name: /^Webhooks/ }).uncheck()
      assert.equal((await saved).status(), 200)
      const path = '/api/v1/account/notifications'
      const changed = await tenant.session.call({ method: 'PATCH', path, json: { webhooks: true } })
      assert.equal(changed.status, 200, changed.text)
      // The tab is shown again when what it has read is old. A slow page may store the response to its own change after
      // the first time.
      const showAgain = async (): Promise<true | undefined> => {
        await page.clock.fastForward(60_000)
        await page.evaluate("dispatchEvent(new Event('visibilitychange'))")
        return (await page.getByRole('checkbox', { name: /^Webhooks/ }).isChecked()) || undefined
      }
      await until('the box follows the other tab', showAgain, undefined, seldom(200))
    })
  })

  it('ends another session, and all other sessions with a new password', async () => {
    const tenant = await system().client.tenant()
    const json = { email: tenant.email, password: tenant.password }
    const others = await Promise.all(
      [1, 2].map(async () => system().client.session(await system().client.call({ path: '/api/v1/auth/login', json }))),
    )
    const isOpen = (at: number) =>
      others[at]?.call({ path: '/api/v1/auth/session' }).then(({ status }) => status === 200)
    await open({ url: system().client.url, session: tenant.session }, async ({ page }) => {
      await page.goto('/settings/sessions')
      await page
        .getByRole('button', { name: /^End the session of/ })
        .nth(1)
        .click()
      await toastShown(page, /^The session( of .+)? has ended$/)
      const states = await Promise.all([isOpen(0), isOpen(1)])
      assert.equal(states.filter((state) => state === true).length, 1)

      await page.getByRole('link', { name: 'Profile' }).click()
      await page.getByRole('button', { name: 'Change password…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: 'Current password' }).fill(tenant.password)
      await dialog.getByRole('textbox', { name: 'New password' }).fill('another horse battery staple')
      await dialog.getByRole('button', { name: 'Change password' }).click()
      await toastShown(page, 'The password is changed')
      assert.deepEqual(await Promise.all([isOpen(0), isOpen(1)]), [false, false])
      // This session continues with its new cookie and token.
      await page.getByRole('link', { name: 'Workspaces' }).click()
      await page.getByRole('button', { name: 'Create workspace' }).click()
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Acme Labs')
      await dialog.getByRole('button', { name: 'Create workspace' }).click()
      await page.getByRole('button', { name: /^Workspace Acme Labs/ }).waitFor()
    })
  })

  it('changes its address and its password by links in emails', async () => {
    const tenant = await system().client.tenant()
    const address = fresh('new')
    const linkTo = async (to: string, shape: RegExp): Promise<string> =>
      until('the mail with the link', () => {
        const texts = system()
          .receiver.to(to)
          .map(({ mail }) => mail.text ?? '')
        return texts.map((text) => shape.exec(text)?.[0]).find((found) => found !== undefined)
      })
    await open({ url: system().client.url, session: tenant.session }, async ({ page }) => {
      await page.goto('/settings/account')
      await page.getByRole('button', { name: 'Change email…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('New email').fill(address)
      await dialog.getByRole('textbox', { name: 'Your password' }).fill(tenant.password)
      await dialog.getByRole('button', { name: 'Send the link' }).click()
      await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    })
    await open({ url: system().client.url }, async ({ page }) => {
      await page.goto(await linkTo(address, /\/account\/confirm-email\?token=[\w-]{43}/))
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByRole('heading', { name: 'Your email address is confirmed' }).waitFor()

      await page.goto('/forgot')
      await page.getByLabel('Email').fill(address)
      await page.getByRole('button', { name: 'Send the link' }).click()
      await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
      await page.goto(await linkTo(address, /\/account\/reset-password\?token=[\w-]{43}/))
      await page.getByLabel('New password').fill('another horse battery staple')
      await page.getByRole('button', { name: 'Set the password' }).click()
      await page.getByRole('heading', { name: 'Your password is set' }).waitFor()
      await page.getByRole('link', { name: 'Log in' }).click()
      await page.waitForURL('**/login')
      await logIn(page, address, 'another horse battery staple')
      await page.waitForURL(/getting-started|overview/)
    })
  })

  it('has pages of emailed links without faults of accessibility that fit a phone', async () => {
    const tenant = await system().client.tenant()
    const token = await invite(system(), tenant.session, fresh('invited'), 'member')
    await open({ url: system().client.url, viewport: 'phone', expected: /status of 4\d\d/ }, async ({ page }) => {
      for (const path of [`/account/invitation?token=${token}`, '/account/reset-password?token=used']) {
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await assertAccessible(page)
      }
    })
  })
})
