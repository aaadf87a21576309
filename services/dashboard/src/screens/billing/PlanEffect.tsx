import type { Plan, PlanPreview } from '../../api/billing.ts'
import type { Usage } from '../../api/stats.ts'
import { dayText, monthText, priceText } from './billingTexts.ts'
import { lossesOf } from './losses.ts'
import { usd } from './money.ts'

/** Shows the effect of a change of the plan: what is charged today, when it begins, what is lost. */
export const PlanEffect = ({
  preview,
  plan,
  current,
  usage,
  isPaidFirst,
}: {
  preview: PlanPreview
  plan: Plan
  current: Plan
  usage: Usage
  isPaidFirst: boolean
}) => {
  if (preview.effect === 'upgrade')
    return <Upgrade preview={preview} plan={plan} usage={usage} isPaidFirst={isPaidFirst} />
  if (preview.effect === 'downgrade') return <Downgrade preview={preview} plan={plan} current={current} usage={usage} />
  if (preview.effect === 'revoke') {
    return (
      <p className="text-muted">
        The downgrade is revoked and nothing is charged today. {current.name} continues: {priceText(current)}, next on{' '}
        {dayText(usage.period.end)}.
      </p>
    )
  }
  return <p className="text-muted">Nothing changes: this plan is already chosen.</p>
}

const Upgrade = ({
  preview,
  plan,
  usage,
  isPaidFirst,
}: {
  preview: PlanPreview
  plan: Plan
  usage: Usage
  isPaidFirst: boolean
}) => (
  <section aria-label="What it costs today">
    <h3 className="mb-1 font-medium">Today</h3>
    {preview.lines.length === 0 ? (
      <p className="text-small text-muted">
        Nothing is charged: the days of {monthText(usage.period.start)} are charged already.
      </p>
    ) : (
      <dl className="rounded-lg border border-line text-small tabular-nums">
        {preview.lines.map((line, position) => (
          // The lines have no ids, and two may be equal.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <div key={position} className="flex justify-between gap-4 border-b border-line px-3 py-2">
            <dt className="min-w-0 wrap-anywhere text-muted">{line.description}</dt>
            <dd className="shrink-0">{usd(line.amount_usd)}</dd>
          </div>
        ))}
        <div className="flex justify-between gap-4 px-3 py-2 font-semibold">
          <dt>{isPaidFirst ? 'To be paid now' : 'Invoiced now'}</dt>
          <dd>{usd(preview.due_usd)}</dd>
        </div>
      </dl>
    )}
    <ul className="mt-3 flex list-disc flex-col gap-1 pl-4 text-small text-muted">
      {preview.total_usd.startsWith('-') && (
        <li>A credit of {usd(preview.total_usd.slice(1))} stays for later invoices.</li>
      )}
      <li>
        {isPaidFirst
          ? `${plan.name} begins when the payment is made on the page of the payment provider.`
          : `${plan.name} begins immediately, and its quota applies to the next send.`}
      </li>
      <li>
        From {dayText(usage.period.end)} on: {priceText(plan)}, in advance.
      </li>
      {plan.overage && <li>You can limit what sends beyond the plan cost with a spending cap.</li>}
    </ul>
  </section>
)

const Downgrade = ({
  preview,
  plan,
  current,
  usage,
}: {
  preview: PlanPreview
  plan: Plan
  current: Plan
  usage: Usage
}) => {
  const begins = preview.begins_at ?? usage.period.end
  return (
    <>
      <section aria-label="When it begins">
        <h3 className="mb-1 font-medium">When</h3>
        <p className="text-small text-muted">
          {current.name} stays until the end of {dayText(Date.parse(begins) - 1)} (UTC), with all that it includes.{' '}
          {plan.name} begins on {dayText(begins)}. Nothing is charged or refunded today, and you can revoke it until
          then.
        </p>
      </section>
      <section aria-label="What is lost">
        <h3 className="mb-1 font-medium">What you lose on {dayText(begins)}</h3>
        <ul className="flex list-disc flex-col gap-1 pl-4 text-small text-muted">
          {lossesOf(usage, preview.limits, plan).map((loss) => (
            <li key={loss}>{loss}</li>
          ))}
        </ul>
      </section>
    </>
  )
}
