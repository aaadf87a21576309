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
            'internal is a bug, unavailable is a fault of the service; the caller must correct all others. If a code rises after a release, check what the release changed.',
          unit: 'reqps',
          queries: [{ expr: rateBy('code', refused), legend: '{{code}}' }],
          stacked: true,
        },
        {
          kind: 'lines',
          title: 'Faults of the service',
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
            'Share of 4xx in all sends. If one customer gets them, their client is at fault; if all customers get them, the service is.',
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
            'Requests over a rate limit. To find a customer, search the log lines “request” with status 429: they contain workspace and key_id. If all customers are affected, check whether Redis is unavailable or POSTRIDER_REPLICAS exceeds the number of replicas.',
          unit: 'reqps',
          queries: [{ expr: rateBy('code', refused, 'code="rate_limited"'), legend: '{{code}}' }],
        },
        {
          kind: 'lines',
          title: 'Processes that apply rate limits without Redis',
          description: 'Each process allows its share of every rate. docs/runbooks/PostriderRateLimiterDegraded.md.',
          unit: 'none',
          queries: [{ expr: `sum by (job) (${of('postrider_rate_limiter_degraded')})`, legend: '{{job}}' }],
          alarm: { amber: 0.5, red: 0.5 },
        },
        {
          kind: 'lines',
          title: 'Requests limited without Redis',
          description:
            'Also single requests for which Redis took longer than 50 ms. docs/runbooks/PostriderRateLimiterDegraded.md.',
          unit: 'reqps',
          queries: [{ expr: rateBy('job', 'postrider_rate_limiter_local_total'), legend: '{{job}}' }],
        },
        {
          kind: 'lines',
          title: 'Quota used up',
          description:
            'Sends over the limit of a plan. Some are normal at the end of a month. If all customers are affected at the same time, check whether limits were set by mistake.',
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
            'Connections of each gateway. At POSTRIDER_MAX_CLIENT_CONNECTIONS further ones are closed immediately: add replicas, or find the clients that do not reuse connections.',
          unit: 'none',
          queries: [{ expr: `max by (job) (${of('postrider_http_connections')})`, legend: '{{job}}' }],
        },
        {
          kind: 'lines',
          title: 'Connections closed by a limit',
          description:
            'address: one client has too many; if it is your proxy, add it to POSTRIDER_TRUSTED_PROXIES. stalled: clients that do not read their responses. pipelined: clients that do not wait for them. total: see the panel before.',
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
            'Reserve with RESOURCE_EXHAUSTED is a refusal. UNAVAILABLE for any method means that MongoDB is unavailable. Release and Settle follow cancellations and crashes.',
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
            'Every live send waits for Reserve and Commit. If both rise, MongoDB is slow. If only Reserve rises, many concurrent senders of one workspace update the same document.',
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
            'Requests with a wrong, revoked or missing key. At a sudden rise, a customer rotates keys, or an attacker guesses them.',
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
            'Many unknown_account and wrong_password, or refusals by a limit: an attacker guesses passwords. busy: more logins than the accounts service can hash; add replicas if they are not an attack.',
          unit: 'reqps',
          queries: [{ expr: rateBy('reason', 'postrider_logins_refused_total'), legend: '{{reason}}' }],
          stacked: true,
        },
      ],
    },
  ],
}
