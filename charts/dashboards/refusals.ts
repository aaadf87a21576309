import { type Board, of, quantileBy, rateBy } from './board.ts'
import { namespace } from './variables.ts'

const refused = 'postrider_requests_refused_total'
const sends = 'method="POST", route="/api/v1/emails"'
const quota = 'service="postrider.quota.v1.Quota"'

/** Who is told no, and whether that is right. */
export const refusals: Board = {
  uid: 'postrider-refusals',
  title: 'Postrider: quota, rate limits and other refusals',
  description: 'Refusals are answers, most of them right. Here is to be seen when they are not.',
  variables: [namespace],
  rows: [
    {
      title: 'All refusals',
      panels: [
        {
          kind: 'lines',
          title: 'Refused, by code',
          description:
            'internal is a bug, unavailable a fault of ours; all others are for the caller to mend. A code that jumps after a release: look at what it changed.',
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
          description: '4xx of all sends. For one customer it is their client; for all at once it is ours.',
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
            'Refused for coming too often. One customer: the logs’ lines “request” with status 429 have workspace and key_id. All at once: is Redis away, or POSTRIDER_REPLICAS larger than what runs?',
          unit: 'reqps',
          queries: [{ expr: rateBy('code', refused, 'code="rate_limited"'), legend: '{{code}}' }],
        },
        {
          kind: 'lines',
          title: 'Processes that limit without Redis',
          description: 'Each allows its share of every rate. docs/runbooks/PostriderRateLimiterDegraded.md.',
          unit: 'none',
          queries: [{ expr: `sum by (job) (${of('postrider_rate_limiter_degraded')})`, legend: '{{job}}' }],
          alarm: { amber: 0.5, red: 0.5 },
        },
        {
          kind: 'lines',
          title: 'Quota used up',
          description:
            'Sends over a plan’s limit. At the end of a month some; at once for all: were limits set by mistake?',
          unit: 'reqps',
          queries: [{ expr: rateBy('code', refused, 'code="quota_exceeded"'), legend: '{{code}}' }],
        },
      ],
    },
    {
      title: 'The ledger',
      panels: [
        {
          kind: 'lines',
          title: 'Calls of quota, by code',
          description:
            'Reserve with RESOURCE_EXHAUSTED is a refusal; UNAVAILABLE on anything is MongoDB. Release and Settle follow cancels and crashes.',
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
          title: 'Duration of quota’s calls, p99',
          description:
            'Every live send waits for Reserve and Commit. They rise together: MongoDB; Reserve alone: many senders of one workspace at its month’s document.',
          unit: 's',
          queries: [
            { expr: quantileBy(0.99, 'method', 'postrider_grpc_server_duration_seconds', quota), legend: '{{method}}' },
          ],
        },
        {
          kind: 'lines',
          title: 'Not authenticated',
          description:
            'Wrong, revoked or missing keys. A jump: somebody rotates keys, or tries some. Log-ins are limited by address and account.',
          unit: 'reqps',
          queries: [
            {
              expr: rateBy('code', refused, 'code=~"unauthenticated|insufficient_scope|forbidden"'),
              legend: '{{code}}',
            },
          ],
        },
      ],
    },
  ],
}
