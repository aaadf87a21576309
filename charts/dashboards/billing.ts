import { type Board, maxBy, namespace, of } from './board.ts'

const increase = (metric: string): string => `sum by (outcome) (increase(${of(metric)}[1h]))`

/** Plans and payments: the closes of months, and the events of the payment provider. */
export const billing: Board = {
  uid: 'postrider-billing',
  title: 'Postrider: invoices and payments',
  description: 'Invoices at the end of each month, and the events of the payment provider.',
  variables: [namespace],
  rows: [
    {
      title: 'Months (each process counts all workspaces, so panels show the maximum)',
      panels: [
        {
          kind: 'lines',
          title: 'Workspaces whose month is closed late',
          description:
            'The month should have been closed more than an hour ago. docs/runbooks/PostriderBillingOverdue.md.',
          unit: 'short',
          queries: [{ expr: maxBy('namespace', 'postrider_billing_overdue'), legend: '{{namespace}}' }],
          alarm: { amber: 1, red: 1_000 },
        },
        {
          kind: 'lines',
          title: 'Months closed per hour, by outcome',
          description:
            'closed: the invoice was issued. waiting: a send of the month has not been settled. failed: the log of quota has the error.',
          unit: 'short',
          queries: [{ expr: increase('postrider_month_closes_total'), legend: '{{outcome}}' }],
          stacked: true,
        },
        {
          kind: 'lines',
          title: 'Events of the payment provider per hour, by outcome',
          description:
            'refused: a wrong or old signature; check POSTRIDER_STRIPE_WEBHOOK_SECRET. repeated: the event was already applied.',
          unit: 'short',
          queries: [{ expr: increase('postrider_payment_events_total'), legend: '{{outcome}}' }],
          stacked: true,
        },
        {
          kind: 'lines',
          title: 'Charges of invoices per hour, by outcome',
          description:
            'failed: the card was declined or the bank requires its owner; owners get an email. refused, unavailable: the log of quota has the reason.',
          unit: 'short',
          queries: [{ expr: increase('postrider_invoice_charges_total'), legend: '{{outcome}}' }],
          stacked: true,
        },
      ],
    },
  ],
}
