import { type Board, maxBy, namespace, quantileBy, rateBy } from './board.ts'

const attempts = 'postrider_webhook_attempts_total'
const found = 'postrider_webhook_deliveries_found_total'

/** Webhooks: what is sent to the endpoints of customers. */
export const webhooks: Board = {
  uid: 'postrider-webhooks',
  title: 'Postrider: webhooks',
  description: 'Attempts to send events to the endpoints of customers, their delay, and waiting deliveries.',
  variables: [namespace],
  rows: [
    {
      title: 'Attempts',
      panels: [
        {
          kind: 'lines',
          title: 'Attempts, by outcome',
          description:
            'refused: the receiver returned another status than 2xx. failed: it sent no response. blocked: its address is not allowed. If there are no attempts while deliveries are due: docs/runbooks/PostriderWebhooksStuck.md.',
          unit: 'ops',
          queries: [{ expr: rateBy('outcome', attempts), legend: '{{outcome}}' }],
          stacked: true,
        },
        {
          kind: 'lines',
          title: 'Duration of attempts',
          description:
            'A request ends after 10 s at most. The duration depends on receivers; each receiver that hangs occupies two requests.',
          unit: 's',
          queries: [0.5, 0.95, 0.99].map((share) => ({
            expr: quantileBy(share, '', 'postrider_webhook_attempt_duration_seconds'),
            legend: `p${share * 100}`,
          })),
        },
        {
          kind: 'lines',
          title: 'Running requests',
          description:
            'Requests of each process. POSTRIDER_WEBHOOK_REQUESTS limits those of one workspace; another eighth is for other workspaces.',
          unit: 'short',
          queries: [{ expr: maxBy('pod', 'postrider_webhooks_in_work'), legend: '{{pod}}' }],
        },
      ],
    },
    {
      title: 'Delay and backlog',
      panels: [
        {
          kind: 'lines',
          title: 'Time from an event to its delivery',
          description:
            'Time of successful deliveries, retries included. If p50 is above 10 s, notifications of events are lost: docs/runbooks/PostriderWebhookHintsLost.md.',
          unit: 's',
          queries: [0.5, 0.95].map((share) => ({
            expr: quantileBy(share, '', 'postrider_webhook_delay_seconds'),
            legend: `p${share * 100}`,
          })),
        },
        {
          kind: 'lines',
          title: 'Deliveries, by how they were found',
          description:
            'hint: found immediately. scan: found 10 s later or more, because no hint arrived or the endpoint is new. docs/runbooks/PostriderWebhookHintsLost.md.',
          unit: 'ops',
          queries: [{ expr: rateBy('by', found), legend: '{{by}}' }],
          stacked: true,
        },
        {
          kind: 'lines',
          title: 'Hints dropped',
          description:
            'Above 0, hints arrive faster than a process reads them. A scan finds their events some seconds later.',
          unit: 'ops',
          queries: [{ expr: rateBy('namespace', 'postrider_webhook_hints_dropped_total'), legend: '{{namespace}}' }],
        },
        {
          kind: 'lines',
          title: 'Unfinished deliveries (each process counts all of them)',
          description:
            'Counted up to 100,000. Endpoints that fail have a backlog for up to 72 hours, which is stored on disk.',
          unit: 'short',
          queries: [{ expr: maxBy('namespace', 'postrider_webhook_backlog'), legend: '{{namespace}}' }],
        },
        {
          kind: 'lines',
          title: 'Age of the oldest due delivery',
          description:
            'An endpoint that hangs with a large backlog raises it for days. If there are no attempts: docs/runbooks/PostriderWebhooksStuck.md.',
          unit: 's',
          queries: [{ expr: maxBy('namespace', 'postrider_webhook_backlog_age_seconds'), legend: '{{namespace}}' }],
        },
      ],
    },
    {
      title: 'Endpoints (each process counts all of them, so panels show the maximum)',
      panels: [
        {
          kind: 'lines',
          title: 'Endpoints, by state',
          description:
            'failing: the last attempts failed. If many fail at the same time, the egress of webhooks is blocked, or DNS does not answer.',
          unit: 'short',
          queries: [{ expr: maxBy('state', 'postrider_webhook_endpoints'), legend: '{{state}}' }],
        },
        {
          kind: 'lines',
          title: 'Disabled endpoints, by reason',
          description:
            'gone: the receiver returned 410. failures: only failures for 72 hours. Their owners are notified.',
          unit: 'ops',
          queries: [{ expr: rateBy('reason', 'postrider_webhooks_disabled_total'), legend: '{{reason}}' }],
        },
      ],
    },
  ],
}
