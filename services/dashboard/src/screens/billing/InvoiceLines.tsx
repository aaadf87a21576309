import type { Invoice } from '../../api/billing.ts'
import { Panel } from '../../ui/Table.tsx'
import { count } from '../overview/figures.ts'
import { usd } from './money.ts'

/** The lines of an invoice and their sum. A phone shows quantity and price below the description. */
export const InvoiceLines = ({ invoice: { number, lines, total_usd } }: { invoice: Invoice }) => (
  <Panel className="mt-6 overflow-hidden">
    <table className="w-full border-collapse text-small tabular-nums">
      <caption className="sr-only">Lines of invoice {number}</caption>
      <thead>
        <tr className="border-b border-line text-tiny text-faint">
          <th scope="col" className="h-9 px-4 text-left font-medium">
            Description
          </th>
          <th scope="col" className="h-9 w-20 px-2 text-right font-medium max-sm:hidden">
            Quantity
          </th>
          <th scope="col" className="h-9 w-24 px-2 text-right font-medium max-sm:hidden">
            Unit
          </th>
          <th scope="col" className="h-9 w-28 pr-4 pl-2 text-right font-medium">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, position) => (
          // The lines have no ids, and two may be equal.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <tr key={position} className="border-b border-line align-top">
            <td className="px-4 py-2.5 wrap-anywhere">
              {line.description}
              <span className="block text-muted sm:hidden">
                {count(line.quantity)} × {usd(line.unit_usd)}
              </span>
            </td>
            <td className="px-2 py-2.5 text-right max-sm:hidden">{count(line.quantity)}</td>
            <td className="px-2 py-2.5 text-right text-muted max-sm:hidden">{usd(line.unit_usd)}</td>
            <td className="py-2.5 pr-4 pl-2 text-right whitespace-nowrap">{usd(line.amount_usd)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="font-semibold">
          <th scope="row" className="px-4 py-3 text-left">
            Total in US dollars
          </th>
          <td className="max-sm:hidden" colSpan={2} />
          <td className="py-3 pr-4 pl-2 text-right whitespace-nowrap">{usd(total_usd)}</td>
        </tr>
      </tfoot>
    </table>
  </Panel>
)
