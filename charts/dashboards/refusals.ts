import { type Board, namespace, of, quantileBy, rateBy } from './board.ts'

const refused = 'postrider_requests_refused_total'
const sends = 'method="POST", route="/api/v1/emails"'
const quota = 'service="postrider.quota.v1.Quota"'

/** Refused requests, and whether the refusals are correct. */
export const refusals: Board = {
  uid: 'postrider-refusals',
  title: 'Postrider: quota, rate limits and other refusals',
  description: 'Most refusals are correct responses. This dashboard shows when they are not.',
  variables: [namespace],
  rows: [
    {
      title: 'All refusals',
      panels: [
        {
          kind: 'lines',
          title: 'Refused, by code',
          description:
            'internal is a bug, unavailable is our fault; the caller must fix all others. If a code rises after a release, check what the release changed.',
          unit: 'reqps',
          queries: [{ expr: rateBy('code', refused), legend: '{{code}}' }],
          stacked: true,
        },
        {
          kind: 'lines',
          title: 'Our fault',
          description:
            'unavailable: docs/runbooks/PostriderAcceptErrors.md. internal: docs/runbooks/PostriderInternalErrors.md.',
          unit: 'reqps',
          queries: [{ expr: rateBy('code', refused, 'code=~"internal|unavailable"'), legend: '{{code}}' }],
          alarm: { amber: 0.01, red: 1 },
        },
        {
          kind: 'lines',
          title: 'Sends refused to callers, share',
          description:
            'Share of 4xx in all sends. If one customer has them, it is their client; if all have them, it is our fault.',
          unit: 'percentunit',
          queries: [
            {
              expr: `${rateBy('status', 'postrider_http_request_duration_seconds_count', `${sends}, status=~"4.."`)} / scalar(sum(rate(${of('postrider_http_request_duration_seconds_count', sends)}[$__rate_interval])))`,
              legend: '{{status}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Limits',
      panels: [
        {
          kind: 'lines',
          title: 'Rate limits',
          description:
            'Requests over a rate limit. One customer: log lines “request” with status 429 contain workspace and key_id. All customers: is Redis unavailable, or POSTRIDER_REPLICAS larger than the number of replicas?',
          unit: 'reqps',
          queries: [{ expr: rateBy('code', refused, 'code="rate_limited"'), legend: '{{code}}' }],
        },
        {
          kind: 'lines',
          title: 'Processes that limit without Redis',
          description: 'Each process allows its share of every rate. docs/runbooks/PostriderRateLimiterDegraded.md.',
          unit: 'none',
          queries: [{ expr: `sum by (job) (${of('postrider_rate_limiter_degraded')})`, legend: '{{job}}' }],
          alarm: { amber: 0.5, red: 0.5 },
        },
        {
          kind: 'lines',
          title: 'Quota used up',
          description:
            'Sends over the limit of a plan. Some are normal at the end of a month. All customers at the same time: were limits set by mistake?',
          unit: 'reqps',
          queries: [{ expr: rateBy('code', refused, 'code="quota_exceeded"'), legend: '{{code}}' }],
        },
      ],
    },
    {
      title: 'Connections of HTTP clients',
      panels: [
        {
          kind: 'lines',
          title: 'Open connections',
          description:
            'Of each gateway. At POSTRIDER_MAX_CLIENT_CONNECTIONS further ones are closed immediately: add replicas, or find the clients that do not reuse connections.',
          unit: 'none',
          queries: [{ expr: `max by (job) (${of('postrider_http_connections')})`, legend: '{{job}}' }],
        },
        {
          kind: 'lines',
          title: 'Connections closed by a limit',
          description:
            'address: one client has too many; if it is your proxy, add it to POSTRIDER_TRUSTED_PROXIES. stalled, pipelined: clients that do not read their responses. total: see the panel before.',
          unit: 'ops',
          queries: [{ expr: rateBy('reason', 'postrider_http_connections_closed_total'), legend: '{{reason}}' }],
        },
      ],
    },
    {
      title: 'Ledger',
      panels: [
        {
          kind: 'lines',
          title: 'Calls to quota, by code',
          description:
            'Reserve with RESOURCE_EXHAUSTED is a refusal; UNAVAILABLE of any method is MongoDB. Release and Settle follow cancels and crashes.',
          unit: 'reqps',
          queries: [
            {
              expr: rateBy('method, code', 'postrider_grpc_server_duration_seconds_count', quota),
              legend: '{{method}} {{code}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Duration of calls to quota, p99',
          description:
            'Every live send waits for Reserve and Commit. Both rise: MongoDB. Only Reserve rises: many concurrent senders of one workspace share its month’s document.',
          unit: 's',
          queries: [
            { expr: quantileBy(0.99, 'method', 'postrider_grpc_server_duration_seconds', quota), legend: '{{method}}' },
          ],
        },
      ],
    },
    {
      title: 'Authentication',
      panels: [
        {
          kind: 'lines',
          title: 'Not authenticated',
          description:
            'Wrong, revoked or missing keys. A sudden rise: a customer rotates keys, or an attacker guesses them.',
          unit: 'reqps',
          queries: [
            {
              expr: rateBy('code', refused, 'code=~"unauthenticated|insufficient_scope|forbidden"'),
              legend: '{{code}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Refused logins, by reason',
          description:
            'unknown_account and wrong_password in large numbers, or a limit: an attacker guesses passwords. busy: more logins than the accounts service can hash; add replicas if they are not an attack.',
          unit: 'reqps',
          queries: [{ expr: rateBy('reason', 'postrider_logins_refused_total'), legend: '{{reason}}' }],
          stacked: true,
        },
      ],
    },
  ],
}
