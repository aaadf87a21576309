import assert from 'node:assert/strict'
import { hasFocus, toastShown, useBrowser, useDashboard, useSharedPage } from '../support/browser.ts'
import { fresh, password, type Tenant } from '../support/client.ts'
import { accepting, colleague, invite, tokenFor } from '../support/people.ts'
import { useSystem } from '../support/suite.ts'

describe('settings in the dashboard', () => {
  useDashboard()
  const system = useSystem()
  const open = useBrowser()
  const asOwner = useSharedPage(open, () => ({ url: system().client.url, session: tenant.session }))
  let tenant: Tenant

  before(async () => {
    tenant = await system().client.tenant()
  })

  it('change the name everywhere immediately, and refuse an empty one at its field', async () => {
    // The service refuses the first name.
    const expected = /status of 422/
    await open({ url: system().client.url, session: tenant.session, expected }, async ({ page }) => {
      await page.goto('/settings')
      const name = page.getByRole('textbox', { name: 'Name', exact: true })
      await name.fill('')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('alert').first().waitFor()
      await name.fill('Acme Trains')
      await page.getByRole('textbox', { name: /^Postal address/ }).fill('1 Main Street, Springfield')
      await page.getByRole('button', { name: 'Save' }).click()
      await toastShown(page, 'The settings are saved')
      await page.getByRole('button', { name: /^Workspace Acme Trains/ }).waitFor()
      await page.getByRole('button', { name: 'Save', disabled: true }).waitFor()
    })
  })

  // They spanned the page, and ended before the scrollbar.
  it('have notices above each screen that are as wide as its content', async () => {
    await asOwner(async ({ page }) => {
      for (const [path, width] of [
        ['/webhooks', 'compare'],
        ['/getting-started', 'read'],
      ] as const) {
        await page.goto(path)
        const edges = (selector: string) =>
          page.evaluate<[number, number]>(`(() => {
            const box = document.querySelector('${selector}')
            const { left, right } = box.getBoundingClientRect()
            const { paddingLeft, paddingRight } = getComputedStyle(box)
            return [left + parseFloat(paddingLeft), right - parseFloat(paddingRight)]
          })()`)
        await page.getByText('Confirm your address').waitFor()
        await page.getByRole('heading', { level: 1 }).waitFor()
        assert.deepEqual(await edges('main > div:first-child'), await edges(`main > [data-width=${width}]`), path)
      }
    })
  })

  it('invite a person, change the role, and remove the member by name', async () => {
    const email = fresh('jane')
    await asOwner(async ({ page }) => {
      await page.goto('/settings/members')
      await page.getByRole('button', { name: 'Invite a person' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: 'Email' }).fill(email)
      await dialog.getByText('Reads everything but the audit log').click()
      await dialog.getByRole('button', { name: 'Send invitation' }).click()
      await page.getByRole('button', { name: `Actions for the invitation of ${email}` }).click()
      await page.getByRole('menuitem', { name: 'Send again' }).click()
      await toastShown(page, `Sent to ${email} again`)
    })
    // The page that the link opens works without the dashboard.
    const token = await tokenFor(system(), email, 2)
    await open({ url: system().client.url }, async ({ page }) => {
      await page.goto(`/account/invitation?token=${token}`)
      await page.getByLabel('Password of your new account').fill('correct horse battery staple')
      await page.getByRole('button', { name: 'Accept the invitation' }).click()
      await page.getByRole('heading', { name: 'You are a member of Acme Trains' }).waitFor()
      await page.getByRole('link', { name: 'Open the workspace' }).click()
      await page.getByRole('button', { name: /^Workspace Acme Trains/ }).waitFor()
      // A viewer has no audit log and no button to invite.
      await page.goto('/settings/members')
      await page.getByRole('table', { name: 'Members' }).waitFor()
      assert.equal(await page.getByRole('link', { name: 'Audit log' }).count(), 0)
      assert.equal(await page.getByRole('button', { name: 'Invite a person' }).count(), 0)
    })
    await asOwner(async ({ page }) => {
      await page.goto('/settings/members')
      await page.getByRole('button', { name: `Actions for ${email}` }).click()
      await page.getByRole('menuitem', { name: 'Change role…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Sends mail and edits templates.').click()
      await dialog.getByRole('button', { name: 'Change role' }).click()
      await page.getByRole('row', { name: new RegExp(`${email}.*Member`) }).waitFor()

      await page.getByRole('button', { name: `Actions for ${email}` }).click()
      await page.getByRole('menuitem', { name: 'Remove from workspace…' }).click()
      const remove = dialog.getByRole('button', { name: 'Remove member' })
      assert.ok(await remove.isDisabled())
      await dialog.getByRole('textbox').fill(email)
      await remove.click()
      await toastShown(page, `${email} was removed`)
    })
  })

  it('revoke an invitation, whose link then opens nothing', async () => {
    const email = fresh('joe')
    const token = await invite(system(), tenant.session, email, 'viewer')
    await asOwner(async ({ page }) => {
      await page.goto('/settings/members')
      // What is behind a dialog is hidden, but still there.
      const actions = page.getByRole('button', { name: `Actions for the invitation of ${email}`, includeHidden: true })
      await actions.click()
      await page.getByRole('menuitem', { name: 'Revoke…' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click()
      await actions.waitFor({ state: 'detached' })
      // No row is left.
      await hasFocus(page, page.getByRole('heading', { level: 1 }))
    })
    const refused = await system().client.call({ path: accepting, json: { token, password } })
    assert.equal(refused.status, 422, refused.text)
  })

  it('transfer the ownership by name, after which the former owner is an admin', async () => {
    const other = await system().client.tenant()
    const { email } = await colleague(system(), other, 'member')
    await open({ url: system().client.url, session: other.session }, async ({ page }) => {
      await page.goto('/settings/members')
      await page.getByRole('button', { name: `Actions for ${email}` }).click()
      await page.getByRole('menuitem', { name: 'Transfer ownership…' }).click()
      const dialog = page.getByRole('dialog')
      const confirm = dialog.getByRole('button', { name: 'Transfer ownership' })
      assert.ok(await confirm.isDisabled())
      await dialog.getByRole('textbox').fill(email)
      await confirm.click()
      await page.getByRole('row', { name: new RegExp(`${email}.*Owner`) }).waitFor()
      await page.getByRole('row', { name: new RegExp(`${other.email}.*Admin`) }).waitFor()
      // An admin does nothing with an owner.
      await page.getByRole('button', { name: `Actions for ${email}` }).waitFor({ state: 'detached' })
    })
  })

  it('save how long content is stored', async () => {
    await asOwner(async ({ page }) => {
      await page.goto('/settings/retention')
      const days = page.getByRole('spinbutton', { name: 'Days' })
      await page.getByRole('radio', { name: /^As the service/, checked: true }).waitFor()
      assert.ok(await days.isDisabled())
      await page.getByText('A number of days', { exact: true }).click()
      await days.fill('14')
      await page.getByRole('button', { name: 'Save' }).click()
      await toastShown(page, 'The retention is saved')
      await page.reload()
      await page.getByRole('radio', { name: /^A number of days/, checked: true }).waitFor()
      assert.equal(await days.inputValue(), '14')
    })
    const stored = await tenant.session.call<{ retention: unknown }>({ path: '/api/v1/workspace' })
    assert.equal(stored.body.retention, 14)
  })

  it('show the audit log with filters in the URL, and the fields of an entry before and after', async () => {
    const key = await tenant.makeKey({ name: 'order system' })
    const path = `/api/v1/api-keys/${key.record.id}`
    const { status, text } = await tenant.session.call({ method: 'PATCH', path, json: { name: 'billing system' } })
    assert.equal(status, 200, text)
    await asOwner(async ({ page }) => {
      await page.goto('/settings/audit-log')
      await page.getByRole('combobox', { name: 'Action' }).selectOption('key.update')
      await page.waitForURL(/action=key\.update/)
      // Until the filtered entries arrive, the former ones are shown.
      const created = page.getByRole('list', { name: 'Entries' }).getByText('Created API key')
      await created.first().waitFor({ state: 'detached' })
      await page.getByRole('button', { name: /^Changed API key/ }).click()
      await page.getByRole('row', { name: 'name order system billing system' }).waitFor()
      assert.equal(await created.count(), 0)
      await page.reload()
      await page.getByRole('button', { name: /^Changed API key/ }).waitFor()
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download CSV' }).click()
      assert.equal((await saved).suggestedFilename(), 'audit-log.csv')
    })
  })

  it('erase a recipient, and follow the erasure', async () => {
    const address = fresh('ann')
    const accepted = await tenant.send({ to: [address], subject: 'Hello', text: 'Hello' })
    assert.equal(accepted.status, 202, accepted.text)
    await tenant.until(accepted.body.id, ({ status }) => status === 'delivered')
    await asOwner(async ({ page }) => {
      await page.goto('/settings/retention')
      await page.getByRole('button', { name: 'Erase a recipient…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Address of the person').fill(address)
      assert.ok(await dialog.getByRole('button', { name: 'Erase recipient' }).isDisabled())
      await dialog.getByLabel('Type it again to confirm').fill(address)
      await dialog.getByRole('button', { name: 'Erase recipient' }).click()
      await page.waitForURL(/erasure=era_/)
      await page.getByText('1 email was erased').waitFor()
    })
  })

  it('delete the workspace only with its name and the password', async () => {
    const other = await system().client.tenant()
    await open({ url: system().client.url, session: other.session, expected: /status of 4\d\d/ }, async ({ page }) => {
      await page.goto('/settings')
      await page.getByRole('button', { name: 'Delete…' }).click()
      const dialog = page.getByRole('dialog')
      const confirm = dialog.getByRole('button', { name: 'Delete workspace' })
      assert.ok(await confirm.isDisabled())
      await dialog.getByLabel('Type Acme to confirm').fill('Acme')
      await dialog.getByLabel('Your password').fill('wrong')
      await confirm.click()
      await dialog.getByRole('alert').waitFor()
      await dialog.getByLabel('Your password').fill(other.password)
      await confirm.click()
      await page.getByText(/^This workspace is deleted on/).waitFor()
    })
  })

  it('show each role only the actions that it may use', async () => {
    const viewer = await colleague(system(), tenant, 'viewer')
    await open({ url: system().client.url, session: viewer.session }, async ({ page }) => {
      await page.goto('/settings')
      await page.getByText('Owners and admins change these settings.').waitFor()
      assert.ok(await page.getByRole('textbox', { name: 'Name', exact: true }).isDisabled())
      assert.equal(await page.getByRole('button', { name: 'Delete…' }).count(), 0)
    })
  })
})
