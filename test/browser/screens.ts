import type { Page } from 'playwright-core'

/** What the screens show in tests and pictures: the ids of records that exist in the workspace. */
export type Records = { email: string; template: string; invoice: string }

/** A screen of the dashboard. */
export type Screen = {
  /** Name of its pictures. */
  name: string
  path: (records: Records) => string
  /** Whether it is for people without a session. */
  isOpen?: true
  /** Waits until it shows its content. */
  isShown: (page: Page) => Promise<unknown>
}

const heading = (name: RegExp) => (page: Page) => page.getByRole('heading', { name }).first().waitFor()

/** Every screen. A new one is added here, so that it is checked in each size and scheme. */
export const screens: readonly Screen[] = [
  { name: 'log-in', path: () => '/login', isOpen: true, isShown: heading(/log in|sign in|welcome/i) },
  { name: 'sign-up', path: () => '/signup', isOpen: true, isShown: heading(/./) },
  { name: 'forgotten-password', path: () => '/forgot', isOpen: true, isShown: heading(/./) },
  { name: 'getting-started', path: () => '/getting-started', isShown: heading(/./) },
  {
    name: 'overview',
    path: () => '/overview',
    isShown: (page) =>
      page.getByRole('img', { name: /^Recipients by outcome, the last 24 hours: Delivered/ }).waitFor(),
  },
  { name: 'emails', path: () => '/emails', isShown: (page) => page.getByText('Your invoice').first().waitFor() },
  {
    name: 'email',
    path: ({ email }) => `/emails/${email}`,
    isShown: (page) => page.getByText('Your invoice').first().waitFor(),
  },
  { name: 'templates', path: () => '/templates', isShown: (page) => page.getByText('Receipt').first().waitFor() },
  {
    name: 'template',
    path: ({ template }) => `/templates/${template}`,
    isShown: async (page) => {
      await page.locator('.cm-templateTag').first().waitFor()
      await page.locator('iframe:not([aria-hidden="true"])').waitFor()
    },
  },
  {
    name: 'billing',
    path: () => '/billing',
    isShown: async (page) => {
      await page.getByRole('img', { name: /^Sends by day/ }).waitFor()
      await page.getByRole('table', { name: 'Invoices' }).waitFor()
    },
  },
  { name: 'invoice', path: ({ invoice }) => `/billing/invoices/${invoice}`, isShown: heading(/^Invoice PR-/) },
  { name: 'keys', path: () => '/keys', isShown: heading(/./) },
]
