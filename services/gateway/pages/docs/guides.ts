import { readFileSync } from 'node:fs'

/* The pages that are files of `docs`. */

export type Guide = {
  /** Last part of its path on this service. */
  slug: string
  /** Its path in `docs`. */
  file: string
  /** Its name in the navigation. */
  label: string
  /** What it is about, for the first page and for lists of search engines. */
  about: string
}

export type GuideGroup = { title: string; guides: readonly Guide[] }

export const guideGroups: readonly GuideGroup[] = [
  {
    title: 'Start',
    guides: [
      {
        slug: 'quickstart',
        file: 'guides/quickstart.md',
        label: 'Quickstart',
        about: 'Send the first email and follow it to its recipient.',
      },
      {
        slug: 'recipes',
        file: 'recipes.md',
        label: 'Recipes',
        about: 'Frequent tasks as commands: attachments, schedules, lists, retries.',
      },
    ],
  },
  {
    title: 'Guides',
    guides: [
      {
        slug: 'idempotency',
        file: 'guides/idempotency.md',
        label: 'Idempotency',
        about: 'Repeat a request without sending twice.',
      },
      {
        slug: 'quotas',
        file: 'guides/quotas.md',
        label: 'Quotas and limits',
        about: 'Month, day, spending cap, and requests per second.',
      },
      {
        slug: 'errors',
        file: 'guides/errors.md',
        label: 'Errors',
        about: 'What a refusal contains, and which requests to repeat.',
      },
      {
        slug: 'templates',
        file: 'templates.md',
        label: 'Templates',
        about: 'Placeholders, conditions, lists, versions and previews.',
      },
      {
        slug: 'domains',
        file: 'domains.md',
        label: 'Domains',
        about: 'DNS records, common mistakes, subdomains, rotation of keys.',
      },
      {
        slug: 'webhooks',
        file: 'webhooks.md',
        label: 'Webhooks',
        about: 'Receive events: verify, repeat, order, retries.',
      },
      {
        slug: 'testing',
        file: 'guides/testing.md',
        label: 'Testing',
        about: 'Test keys, simulated outcomes, and the test clock.',
      },
    ],
  },
  {
    title: 'More',
    guides: [
      { slug: 'events', file: 'events.md', label: 'Events', about: 'Every type of event with its payload.' },
      { slug: 'test-clock', file: 'test-clock.md', label: 'Test clock', about: 'See days of retries in milliseconds.' },
      {
        slug: 'accounts',
        file: 'accounts.md',
        label: 'Accounts and teams',
        about: 'Members, roles, API keys, second factors.',
      },
      {
        slug: 'billing',
        file: 'billing.md',
        label: 'Usage and billing',
        about: 'Usage, plans, invoices and payments.',
      },
      {
        slug: 'erasure',
        file: 'erasure.md',
        label: 'Retention and erasure',
        about: 'How long mail is stored, and how to erase a recipient.',
      },
      { slug: 'cli', file: 'cli.md', label: 'Command line', about: 'Send, read and follow events from a terminal.' },
    ],
  },
]

export const guidePath = ({ slug }: Pick<Guide, 'slug'>): string => `/docs/${slug}`

/** Addresses in the files that stand for this service. */
const standIns = /http:\/\/localhost:8080(?![\w.])|https:\/\/mail\.example\.com(?![\w.])/g

/** Returns a program with the address of this service. */
export const withAddress =
  (publicUrl: string) =>
  (code: string): string =>
    code.replaceAll(standIns, () => publicUrl)

const folder = new URL('../../../../docs/', import.meta.url)

/** Returns the source of a guide. @throws if the installation lacks the file */
export const readGuide = ({ file }: Guide): string => readFileSync(new URL(file, folder), 'utf8')
