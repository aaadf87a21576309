import type { Health } from '../../api/operator.ts'

type Part = Health['parts'][number]

const labels: Readonly<Record<string, { label: string; text: string }>> = {
  process: { label: 'This process', text: 'Handles requests.' },
  database: { label: 'Database', text: 'Stores everything.' },
  accounts: { label: 'Accounts', text: 'Logins, members, API keys and the audit log.' },
  templates: { label: 'Templates', text: 'Stores and renders templates.' },
  quota: { label: 'Quota', text: 'Counts sends, and issues invoices.' },
  domains: { label: 'Domains', text: 'Checks DNS, and stores DKIM keys.' },
  webhooks: { label: 'Webhooks', text: 'Sends events to endpoints.' },
  redis: {
    label: 'Redis',
    text: 'Counts requests for the rate limits. Without it each process applies its share of them.',
  },
  intake: { label: 'Intake', text: 'Accepts and stores mail.' },
  dispatcher: { label: 'Dispatchers', text: 'Send mail to its receivers.' },
}

/** The dispatcher where all services are one process. */
const own = { label: 'Dispatcher', text: 'Sends mail to its receivers. Part of this process.' }

/** Returns the name of a part for people, and what it does. An unknown part is shown by its name in the API. */
export const partText = ({ name, processes }: Part, parts: readonly Part[]): { label: string; text: string } => {
  const { label, text } = labels[name] ?? { label: name, text: '' }
  if (processes === null) return { label, text }
  // Where all services are one process, it stores in a database of its own.
  if (parts.some((part) => part.name === 'database')) return own
  return { label, text: `${text} ${processes === 1 ? '1 process runs.' : `${processes} processes run.`}` }
}
