import type { DnsRecord, Domain } from '../../api/domains.ts'
import type { StateLabel } from '../../ui/Badge.tsx'

/** Labels of the statuses of a domain, and what they mean for mail. */
export const domainLabels: Readonly<Record<Domain['status'], StateLabel>> = {
  pending: {
    label: 'Pending',
    tone: 'info',
    text: 'Set the required records at your DNS provider. They are checked automatically, and mail can be sent from the domain when all are found.',
  },
  verified: {
    label: 'Verified',
    tone: 'good',
    text: 'Mail from addresses of this domain is accepted and signed.',
  },
  warning: {
    label: 'Record lost',
    tone: 'warn',
    text: 'A required record is missing or wrong. Mail still leaves, but stops 24 hours after the record was lost.',
  },
  failed: {
    label: 'Failed',
    tone: 'bad',
    text: 'A required record has been missing or wrong for 24 hours. Accepted mail waits until it is found again.',
  },
}

/** Returns the label of the result of a check of one record. */
export const recordLabel = ({ status, required }: DnsRecord): StateLabel => {
  if (status === 'found') return { label: 'Found', tone: 'good' }
  if (status === 'wrong') return { label: 'Wrong', tone: required ? 'bad' : 'warn' }
  if (status === 'missing') return { label: 'Missing', tone: required ? 'warn' : 'idle' }
  return { label: 'Not known yet', tone: 'idle' }
}

const purposes: Readonly<Record<DnsRecord['purpose'], { title: string; text: string }>> = {
  ownership: { title: 'Ownership', text: 'Proves that you control the DNS of the domain.' },
  dkim: { title: 'DKIM', text: 'Receivers verify the signature of your mail with this key.' },
  return_path_mx: { title: 'Return path (MX)', text: 'Bounces come back through your own domain.' },
  return_path_spf: { title: 'Return path (SPF)', text: 'Permits the service to send with your return path.' },
  dmarc: { title: 'DMARC', text: 'Large receivers expect a policy. A policy that you have already is enough.' },
}

/** Returns whether a DKIM record is that of an Ed25519 key (RFC 8463). */
export const isEd25519 = ({ value }: DnsRecord): boolean => /\bk=ed25519\b/.test(value)

/** Returns the name of a record for people, and what it is for. */
export const purposeOf = (record: DnsRecord): { title: string; text: string } => {
  if (record.purpose !== 'dkim' || !isEd25519(record)) {
    return purposes[record.purpose] ?? { title: record.purpose, text: '' }
  }
  return {
    title: 'DKIM, Ed25519',
    text: 'A second, shorter signature. Receivers that do not support it ignore it.',
  }
}

/** Returns how many of the required records were found. */
export const requiredFound = ({ records }: Domain): { found: number; all: number } => {
  const required = records.filter((record) => record.required)
  return { found: required.filter(({ status }) => status === 'found').length, all: required.length }
}
