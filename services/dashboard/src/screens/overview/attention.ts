import type { LinkProps } from '@tanstack/react-router'
import type { Domain } from '../../api/domains.ts'
import type { Webhook } from '../../api/webhooks.ts'
import type { Tone } from '../../ui/Badge.tsx'
import type { Standing } from '../billing/standing.ts'

/** Entry of the list of what needs attention. */
export type AttentionItem = {
  name: string
  tone: Tone
  title: string
  text: string
  link?: Pick<LinkProps, 'to' | 'params' | 'search'>
}

/** A page of emails: how many it has, and whether more follow. */
type Some = { count: number; hasMore: boolean }

const emailsText = ({ count, hasMore }: Some): string =>
  `${count}${hasMore ? ' or more' : ''} ${count === 1 && !hasMore ? 'email' : 'emails'}`

const domainTexts: Readonly<Partial<Record<Domain['status'], { tone: Tone; title: string; text: string }>>> = {
  pending: { tone: 'info', title: 'is not verified', text: 'Set its records, then mail can be sent from it.' },
  warning: { tone: 'warn', title: 'lost a record', text: 'Its mail stops 24 hours after the record was lost.' },
  failed: { tone: 'bad', title: 'failed its checks', text: 'Its mail waits until the record is found again.' },
}

/** Returns what needs attention, the most urgent first. */
export const attentionItems = (known: {
  deferred: Some
  unknown: Some
  domains: readonly Pick<Domain, 'id' | 'name' | 'status'>[]
  webhooks: readonly Pick<Webhook, 'id' | 'url' | 'enabled' | 'failing_since'>[]
  quotas: readonly Standing[]
  isConfirmed: boolean
}): AttentionItem[] => {
  const items: AttentionItem[] = []
  if (!known.isConfirmed) {
    items.push({
      name: 'address',
      tone: 'warn',
      title: 'Your address is not confirmed',
      text: 'Open the link in the mail that was sent to it.',
    })
  }
  if (known.unknown.count > 0) {
    items.push({
      name: 'unknown',
      tone: 'warn',
      title: `${emailsText(known.unknown)} to decide on`,
      text: 'The reply of the server was lost. Send again, or mark as delivered.',
      link: { to: '/emails', search: { status: 'unknown' } },
    })
  }
  for (const { name, tone, title, text } of known.quotas) {
    if (tone === 'info') continue
    items.push({ name: `quota-${name}`, tone, title, text, link: { to: '/billing' } })
  }
  for (const { id, name, status } of known.domains) {
    const text = domainTexts[status]
    if (!text) continue
    const { title, ...rest } = text
    items.push({ name: id, title: `${name} ${title}`, ...rest, link: { to: '/domains/$id', params: { id } } })
  }
  for (const { id, url, enabled, failing_since } of known.webhooks) {
    if (enabled && failing_since === null) continue
    items.push({
      name: id,
      tone: enabled ? 'bad' : 'idle',
      title: enabled ? 'A webhook is failing' : 'A webhook is disabled',
      text: url,
      link: { to: '/webhooks/$id', params: { id } },
    })
  }
  if (known.deferred.count > 0) {
    items.push({
      name: 'deferred',
      tone: 'warn',
      title: `${emailsText(known.deferred)} deferred`,
      text: 'The last attempt failed temporarily. Another attempt follows automatically.',
      link: { to: '/emails', search: { status: 'deferred' } },
    })
  }
  const order: readonly Tone[] = ['bad', 'warn', 'info', 'idle']
  return items.toSorted((a, b) => order.indexOf(a.tone) - order.indexOf(b.tone))
}
