import { type Board, maxBy, namespace, of } from './board.ts'

const increaseBy = (label: string, metric: string): string => `sum by (${label}) (increase(${of(metric)}[1h]))`

/** Removal of old mail and of deleted workspaces. */
export const retention: Board = {
  uid: 'postrider-retention',
  title: 'Postrider: removal of data',
  description: 'Removal of old mail and of deleted workspaces.',
  variables: [namespace],
  rows: [
    {
      title: 'Mail',
      panels: [
        {
          kind: 'lines',
          title: 'Emails with removed parts per hour, by part',
          description:
            'attachments, content, personal: content with addresses, record. GET /api/v1/operator/retention reports what is due.',
          unit: 'short',
          queries: [{ expr: increaseBy('part', 'postrider_mail_purged_total'), legend: '{{part}}' }],
          stacked: true,
        },
        {
          kind: 'lines',
          title: 'Age of the oldest due removal (each process counts all, so the panel shows the maximum)',
          description:
            'mail: content, attachments and records of old mail. recipient: erased recipients. docs/runbooks/PostriderRemovalsOverdue.md.',
          unit: 's',
          queries: [{ expr: maxBy('kind', 'postrider_removals_oldest_due_seconds'), legend: '{{kind}}' }],
          alarm: { amber: 600, red: 3_600 },
        },
      ],
    },
    {
      title: 'Workspaces (each process counts all overdue ones, so panels show the maximum)',
      panels: [
        {
          kind: 'lines',
          title: 'Deleted workspaces that are still stored',
          description:
            'Workspaces whose removal is more than an hour late. Search the log of accounts for “cannot remove workspaces”.',
          unit: 'short',
          queries: [{ expr: maxBy('namespace', 'postrider_workspace_erasures_overdue'), legend: '{{namespace}}' }],
          alarm: { amber: 1, red: 1_000 },
        },
        {
          kind: 'lines',
          title: 'Workspaces removed per hour',
          description: 'Each has a line `workspace.erase` in the audit log of the operator.',
          unit: 'short',
          queries: [{ expr: increaseBy('namespace', 'postrider_workspaces_erased_total'), legend: '{{namespace}}' }],
        },
      ],
    },
  ],
}
