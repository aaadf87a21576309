import type { Invoice, InvoiceLine } from '@postrider/contracts/services.ts'
import { usdText } from '@postrider/domain/billing/money.ts'
import { dayMs, dayOf, isoTime } from '@postrider/domain/time.ts'
import { type Html, html, layout, pagePolicy } from './html.ts'

/** Headers of a page that has inline styles only. */
export const pageHeaders = { 'Content-Security-Policy': pagePolicy({ forms: false }) }

const style = html`<style>
  .amounts th:nth-child(n + 2), .amounts td:nth-child(n + 2) { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
  .amounts td:first-child { white-space: normal; }
  .amounts tfoot td { font-weight: 600; border-bottom: 0; }
  .amounts tfoot tr { border-bottom: 0; }
  @media screen and (max-width: 42rem) {
    .amounts tr { display: grid; grid-template-columns: max-content max-content 1fr; column-gap: 0.4rem; }
    .amounts td:first-child { grid-column: 1 / -1; }
    .amounts tbody td:nth-child(2), .amounts tbody td:nth-child(3) { color: var(--soft); }
    .amounts tbody td:nth-child(2)::after { content: ' ×'; }
    .amounts tfoot tr { grid-template-columns: 1fr max-content; }
    .amounts tfoot td:first-child { grid-column: 1; }
    .amounts tfoot td:empty { display: none; }
  }
  @media print { @page { margin: 20mm; } :root { color-scheme: light; } body { max-width: none; padding: 0; } nav { display: none; } .amounts thead { display: table-header-group; } .amounts tr { display: table-row; break-inside: avoid; } .amounts td { display: table-cell; padding: 0.35rem 0.5rem 0.35rem 0; border-bottom: 1px solid var(--line); } }
</style>`

/** Returns the last day of a period, whose end is the first moment after it. */
const lastDay = (end: number): string => dayOf(end - dayMs)

const row = ({ description, quantity, unit_cents, amount_cents }: InvoiceLine): Html =>
  html`<tr><td>${description}</td><td>${quantity}</td><td>${usdText(unit_cents)}</td><td>${usdText(amount_cents)}</td></tr>
`

const statusText = ({ status, paid_at }: Pick<Invoice, 'status' | 'paid_at'>): string =>
  paid_at === null ? status : `${status}, ${dayOf(paid_at)}`

/** Returns the page of an invoice, to read and to print. @param workspace the name of the workspace that it is for */
export const invoicePage = (invoice: Invoice, workspace: string): Buffer => {
  const { number, period_start, period_end, lines, total_cents, issued_at } = invoice
  const content = html`<h1>Invoice ${number}</h1>
<dl>
<dt>For</dt><dd>${workspace}</dd>
<dt>Issued</dt><dd><time datetime="${isoTime(issued_at)}">${dayOf(issued_at)}</time></dd>
<dt>Period</dt><dd>${dayOf(period_start)} to ${lastDay(period_end)} (UTC)</dd>
<dt>Status</dt><dd>${statusText(invoice)}</dd>
</dl>
<table class="amounts">
<thead><tr><th>Description</th><th>Quantity</th><th>Unit (USD)</th><th>Amount (USD)</th></tr></thead>
<tbody>${lines.map(row)}</tbody>
<tfoot><tr><td>Total (USD)</td><td></td><td></td><td>${usdText(total_cents)}</td></tr></tfoot>
</table>`
  return Buffer.from(layout(`Invoice ${number}`, content, style).markup)
}
