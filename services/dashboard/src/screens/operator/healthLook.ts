const parts: Readonly<Record<string, { label: string; text: string }>> = {
  process: { label: 'This process', text: 'Answers requests.' },
  database: { label: 'Database', text: 'Stores everything.' },
  accounts: { label: 'Accounts', text: 'Log-ins, members, API keys and the audit log.' },
  templates: { label: 'Templates', text: 'Stores and renders templates.' },
  quota: { label: 'Quota', text: 'Counts sends, and issues invoices.' },
  domains: { label: 'Domains', text: 'Checks DNS, and holds DKIM keys.' },
  webhooks: { label: 'Webhooks', text: 'Sends events to endpoints.' },
  redis: {
    label: 'Redis',
    text: 'Counts requests for the rate limits. Without it each process applies its share of them.',
  },
  intake: { label: 'Intake', text: 'Accepts and stores mail.' },
}

/** Returns the name of a part for people, and what it does. One that this release does not know has its own name. */
export const partText = (name: string): { label: string; text: string } => parts[name] ?? { label: name, text: '' }
