import type { Page } from 'playwright-core'

/** Records that the screens show in tests and pictures: the ids of records that exist in the workspace. */
export type Records = { email: string; template: string; invoice: string; workspace: string; user: string }

/** A screen of the dashboard. */
export type Screen = {
  /** Name of its pictures. */
  name: string
  path: (records: Records) => string
  /** Whether it is for people without a session. */
  isOpen?: true
  /** Waits until it shows its content, in each size. */
  isShown: (page: Page) => Promise<unknown>
}

const heading = (name: RegExp) => (page: Page) => page.getByRole('heading', { name }).first().waitFor()

/** Every screen. A new one is added here, so that it is checked in each size and scheme. */
export const screens: readonly Screen[] = [
  { name: 'login', path: () => '/login', isOpen: true, isShown: heading(/log in|sign in|welcome/i) },
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
    name: 'mailbox',
    path: () => '/mailbox',
    isShown: (page) => page.getByText('Waiting for the first message').waitFor(),
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
  { name: 'docs', path: () => '/docs', isOpen: true, isShown: heading(/^Documentation$/) },
  { name: 'docs-guide', path: () => '/docs/quickstart', isOpen: true, isShown: heading(/^Quickstart$/) },
  { name: 'docs-reference', path: () => '/docs/reference/api-keys', isOpen: true, isShown: heading(/^API keys$/) },
  { name: 'docs-search', path: () => '/docs/search?q=idempotency', isOpen: true, isShown: heading(/^Search$/) },
  { name: 'docs-error', path: () => '/problems/rate-limited', isOpen: true, isShown: heading(/^Rate limited$/) },
  {
    name: 'settings',
    path: () => '/settings',
    isShown: (page) => page.getByRole('textbox', { name: 'Name', exact: true }).waitFor(),
  },
  {
    name: 'members',
    path: () => '/settings/members',
    isShown: async (page) => {
      await page.getByRole('table', { name: 'Members' }).waitFor()
      await heading(/^No open invitation$/)(page)
    },
  },
  {
    name: 'security',
    path: () => '/settings/security',
    isShown: (page) => page.getByText('Each member decides.').waitFor(),
  },
  {
    name: 'data-retention',
    path: () => '/settings/retention',
    isShown: (page) => page.getByRole('radio', { name: /As the service/ }).waitFor(),
  },
  {
    name: 'audit-log',
    path: () => '/settings/audit-log',
    isShown: async (page) => {
      await page
        .getByRole('button', { name: /^Created API key/ })
        .first()
        .click()
      await page.getByRole('columnheader', { name: 'Before' }).waitFor()
    },
  },
  { name: 'account', path: () => '/settings/account', isShown: heading(/^Profile$/) },
  { name: 'two-factor', path: () => '/settings/two-factor', isShown: heading(/^Two-factor authentication$/) },
  {
    name: 'sessions',
    path: () => '/settings/sessions',
    isShown: (page) => page.getByText('This session').waitFor(),
  },
  {
    name: 'notifications',
    path: () => '/settings/notifications',
    isShown: (page) => page.getByRole('checkbox', { name: /^Quota/ }).waitFor(),
  },
  {
    name: 'workspaces',
    path: () => '/settings/workspaces',
    isShown: (page) => page.getByText('Current', { exact: true }).waitFor(),
  },
]

const link = (name: RegExp) => (page: Page) => page.getByRole('link', { name }).first().waitFor()

/** Every screen of the operator, which a tab with the operator's token shows. A new one is added here. */
export const operatorScreens: readonly Screen[] = [
  { name: 'operator-workspaces', path: () => '/operator/workspaces', isShown: link(/^Acme$/) },
  {
    name: 'operator-workspace',
    path: ({ workspace }) => `/operator/workspaces/${workspace}`,
    isShown: (page) => page.getByText('Requests a second').waitFor(),
  },
  { name: 'operator-users', path: () => '/operator/users', isShown: link(/@/) },
  { name: 'operator-user', path: ({ user }) => `/operator/users/${user}`, isShown: link(/^Acme$/) },
  { name: 'operator-operators', path: () => '/operator/operators', isShown: link(/@/) },
  { name: 'operator-invoices', path: () => '/operator/invoices', isShown: link(/^PR-/) },
  { name: 'operator-invoice', path: ({ invoice }) => `/operator/invoices/${invoice}`, isShown: link(/^Acme$/) },
  {
    name: 'operator-health',
    path: () => '/operator/health',
    isShown: async (page) => {
      await page.getByText(/^Content is stored for/).waitFor()
      await page.getByText('Works', { exact: true }).first().waitFor()
    },
  },
  {
    name: 'operator-queues',
    path: () => '/operator/queues',
    isShown: async (page) => {
      await page.getByRole('cell', { name: 'Transactional' }).waitFor()
      await page.getByRole('table', { name: 'Destinations' }).waitFor()
    },
  },
  {
    name: 'operator-parked',
    path: () => '/operator/parked',
    isShown: (page) => page.getByRole('list', { name: 'Parked mail' }).waitFor(),
  },
  {
    name: 'operator-sender-domain',
    path: () => '/operator/sender-domain',
    isShown: heading(/^Required records$/),
  },
  {
    name: 'operator-audit-log',
    path: () => '/operator/audit-log',
    isShown: (page) => page.getByRole('list', { name: 'Entries' }).waitFor(),
  },
]
