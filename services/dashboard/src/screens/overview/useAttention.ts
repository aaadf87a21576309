import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/ApiProvider.tsx'
import { plansQuery } from '../../api/billing.ts'
import { domainPages } from '../../api/domains.ts'
import { useSession } from '../../api/session.ts'
import { emailsOfStatusQuery, usageQuery } from '../../api/stats.ts'
import { webhookPages } from '../../api/webhooks.ts'
import { useMode } from '../../app/mode.tsx'
import { standingsOf } from '../billing/standing.ts'
import { type AttentionItem, attentionItems } from './attention.ts'

/** Returns what needs attention; null: it is not known yet. */
export const useAttention = (): { items: AttentionItem[] | null; error: unknown } => {
  const api = useApi()
  const { mode } = useMode()
  const { user } = useSession()
  const deferred = useQuery(emailsOfStatusQuery(api, mode, 'deferred'))
  const unknown = useQuery(emailsOfStatusQuery(api, mode, 'unknown'))
  const domains = useInfiniteQuery(domainPages(api))
  const webhooks = useInfiniteQuery(webhookPages(api, mode))
  const usage = useQuery(usageQuery(api))
  const plans = useQuery(plansQuery(api))
  const error = usage.error ?? plans.error ?? deferred.error ?? unknown.error ?? domains.error ?? webhooks.error
  if (!usage.data || !plans.data) return { items: null, error }
  if (!deferred.data || !unknown.data || !domains.data || !webhooks.data) return { items: null, error }
  const countOf = ({ data, has_more }: { data: readonly unknown[]; has_more: boolean }) => ({
    count: data.length,
    hasMore: has_more,
  })
  const plan = plans.data.find(({ id }) => id === usage.data.plan)
  const items = attentionItems({
    deferred: countOf(deferred.data),
    unknown: countOf(unknown.data),
    domains: domains.data.pages.flatMap((page) => page.data),
    webhooks: webhooks.data.pages.flatMap((page) => page.data),
    quotas: standingsOf(usage.data, plan ?? { overage: null }),
    isConfirmed: user.email_confirmed,
  })
  return { items, error: null }
}
