import type { Plan } from '../../api/billing.ts'
import { beyondText, limitText, priceText } from './billingTexts.ts'

type Compared = Pick<Plan, 'name' | 'price_usd' | 'monthly' | 'daily' | 'overage'>

const rows: readonly [string, (plan: Compared) => string][] = [
  ['Price', priceText],
  ['Sends a month', ({ monthly }) => limitText(monthly)],
  ['Sends a day', ({ daily }) => limitText(daily)],
  ['Beyond', beyondText],
]

/** Two plans side by side. */
export const PlanComparison = ({ now, next }: { now: Compared; next: Compared }) => (
  <table className="w-full table-fixed border-collapse text-small tabular-nums">
    <thead>
      <tr className="border-b border-line text-left">
        <td className="w-28" />
        <th scope="col" className="h-9 px-2 font-medium text-muted">
          Now: {now.name}
        </th>
        <th scope="col" className="h-9 px-2 font-semibold">
          {next.name}
        </th>
      </tr>
    </thead>
    <tbody>
      {rows.map(([name, text]) => (
        <tr key={name} className="border-b border-line last:border-0">
          <th scope="row" className="py-2 pr-2 text-left align-top font-normal text-muted">
            {name}
          </th>
          <td className="px-2 py-2 align-top text-muted">{text(now)}</td>
          <td className="px-2 py-2 align-top">{text(next)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
