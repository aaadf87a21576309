import assert from 'node:assert/strict'
import { useBrowser, useDashboard } from '../support/browser.ts'
import { fresh, password } from '../support/client.ts'
import { useSystem } from '../support/suite.ts'

/*
 * The first steps of a person who has read nothing, in one process and on a cluster, where different processes respond.
 */

describe('first steps in the dashboard', () => {
  useDashboard()
  const system = useSystem()
  const open = useBrowser()

  it('lead from the sign-up over a key to a sent email that is seen to arrive, and to the next login', async () => {
    const { client } = system()
    const [email, to, subject] = [fresh('person'), fresh('reader'), 'Your first email']
    // A busy cluster returns 503, and the dashboard tries again.
    const expected = system().cluster ? { expected: /status of 503/ } : {}
    await open({ url: client.url, ...expected }, async ({ page }) => {
      const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
      const enter = async (fields: Readonly<Record<string, string>>, button: string): Promise<void> => {
        for (const [name, text] of Object.entries(fields)) await page.getByRole('textbox', { name }).fill(text)
        await page.getByRole('button', { name: button, exact: true }).click()
      }

      await page.goto('/')
      await page.getByRole('link', { name: 'Sign up' }).click()
      // The login has fields of the same names, and is shown until the sign-up has been loaded.
      await heading('Create your account')
      await enter({ Email: email, Password: password, Workspace: 'First steps' }, 'Create account')
      await heading('Getting started')

      await page.getByRole('button', { name: /^Create a (live|test) key$/ }).click()
      const shown = page.getByText(/^pr_(live|test)_\w{20,}$/)
      const key = (await shown.first().textContent()) ?? ''
      const sent = await client.withKey(key).call<{ id: string }>({
        path: '/api/v1/emails',
        json: { to: [to], subject, text: 'It works.' },
      })
      assert.equal(sent.status, 202, sent.text)

      // The step that waited for it shows it without a reload.
      await page.getByRole('link', { name: subject }).waitFor()
      await page.getByRole('link', { name: 'Emails', exact: true }).click()
      await heading('Emails')
      const row = page.getByRole('row').filter({ hasText: subject })
      await row.getByText('Delivered').filter({ visible: true }).waitFor()
      await row.getByRole('link', { name: subject }).click()
      await heading(subject)
      await page.getByText(to).first().waitFor()

      await page.getByRole('button', { name: new RegExp(email) }).click()
      await page.getByRole('menuitem', { name: 'Log out' }).click()
      await page.waitForURL('**/login**')
      await page.goto(`/emails/${sent.body.id}`)
      await enter({ Email: email, Password: password }, 'Log in')
      // It continues where it was.
      await heading(subject)
    })
  })
})
