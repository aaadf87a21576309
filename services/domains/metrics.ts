import { type MetricRegistry, metricsIn } from '@postrider/kit/metrics.ts'

/**
 * Outcome of a check of a domain. `found`: every required record was found; `broken`: one is missing or wrong;
 * `unanswered`: DNS did not answer for one; `taken`: another workspace has verified the name; `lost`: the domain was
 * removed, or checked again, in the meantime; `stopped`: the process stops.
 */
export type CheckOutcome = 'found' | 'broken' | 'unanswered' | 'taken' | 'lost' | 'stopped'

const outcomes: readonly CheckOutcome[] = ['found', 'broken', 'unanswered', 'taken', 'lost', 'stopped']

/** Seconds; from one answer of a near server to the limit of a check. */
const checkBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Declares the metrics of sending domains. */
export const domainsMetrics = (registry: MetricRegistry) => {
  const { counter, gauge, histogram } = metricsIn(registry)
  const domainChecks = counter<'outcome'>({
    name: 'postrider_domain_checks_total',
    help: 'Checks of the DNS records of sending domains, by outcome',
    labels: ['outcome'],
  })
  const domainKeysUnreadable = counter({
    name: 'postrider_domain_keys_unreadable_total',
    help: 'Checks of sending domains with a DKIM key that cannot be decrypted',
  })
  // A series that begins with 0 shows its first increase.
  for (const outcome of outcomes) domainChecks.inc({ outcome }, 0)
  domainKeysUnreadable.inc(0)
  const dnsQueries = counter<'via' | 'outcome'>({
    name: 'postrider_dns_queries_total',
    help: 'Queries to DNS servers for checks of sending domains, by transport and outcome',
    labels: ['via', 'outcome'],
  })
  for (const via of ['udp', 'tcp']) for (const outcome of ['reply', 'timeout']) dnsQueries.inc({ via, outcome }, 0)
  return {
    domainChecks,
    domainKeysUnreadable,
    domainCheckDuration: histogram({
      name: 'postrider_domain_check_duration_seconds',
      help: 'Time of a check of a sending domain',
      buckets: checkBuckets,
    }),
    domains: gauge<'status'>({
      name: 'postrider_domains',
      help: 'Sending domains of all workspaces, by status',
      labels: ['status'],
    }),
    domainsOverdue: gauge({
      name: 'postrider_domains_overdue',
      help: 'Sending domains whose check has been due for more than 10 minutes',
    }),
    dnsQueries,
  }
}

export type DomainsMetrics = ReturnType<typeof domainsMetrics>
