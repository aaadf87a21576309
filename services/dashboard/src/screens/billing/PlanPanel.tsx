import type { Plan, Subscription } from '../../api/billing.ts'
import { useMay } from '../../api/session.ts'
import type { Usage } from '../../api/stats.ts'
import { Button } from '../../ui/Button.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { beyondText, dayText, limitText, priceText } from './billingTexts.ts'
import { DialogLink } from './DialogLink.tsx'
import { usd } from './money.ts'
import { PortalButton } from './ProviderButtons.tsx'
import { Section } from './Section.tsx'

/** The plan in effect, what it includes, and the ways to another one. */
export const PlanPanel = ({
  plan,
  plans,
  usage,
  subscription,
}: {
  plan: Plan
  plans: readonly Plan[]
  usage: Usage
  subscription: Subscription
}) => {
  const mayChange = useMay('owner')
  const { monthly, daily } = usage.overrides
  const isOverridden = monthly !== 'plan' || daily !== 'plan'
  return (
    <Section
      id="plan"
      title={`${plan.name} plan`}
      note={priceText(plan)}
      actions={
        mayChange && (
          <>
            <PlanLinks plan={plan} plans={plans} subscription={subscription} />
            {subscription.portal && <PortalButton />}
          </>
        )
      }
    >
      <Facts
        facts={[
          ['Sends a month', limitText(usage.monthly.limit)],
          ['Sends a day', limitText(usage.daily.limit)],
          ['Beyond', usage.monthly.limit === null ? '–' : beyondText(plan)],
          ...nextFacts(plan, subscription, usage),
        ]}
      />
      {isOverridden && (
        <p className="mt-3 text-tiny text-faint">
          The operator set limits for this workspace that differ from the plan.
        </p>
      )}
      {!mayChange && <p className="mt-3 text-tiny text-faint">An owner of the workspace can change the plan.</p>}
    </Section>
  )
}

const nextFacts = (plan: Plan, { pending_plan }: Subscription, { period }: Usage): [string, string][] =>
  Number(plan.price_usd) === 0 || pending_plan !== null
    ? []
    : [['Next price', `${usd(plan.price_usd)} on ${dayText(period.end)}`]]

const PlanLinks = ({
  plan,
  plans,
  subscription: { pending_plan },
}: {
  plan: Plan
  plans: readonly Plan[]
  subscription: Subscription
}) => {
  const position = plans.indexOf(plan)
  if (pending_plan !== null) {
    if (plan.id === 'unlimited') return null
    return (
      <Button asChild size="small" className="max-sm:h-10">
        <DialogLink open={{ plan: plan.id }}>Keep {plan.name}…</DialogLink>
      </Button>
    )
  }
  return plans.map(({ id, name }, other) => {
    if (other === position || id === 'unlimited') return null
    const isUpgrade = other > position
    return (
      <Button key={id} asChild size="small" className="max-sm:h-10" variant={isUpgrade ? 'solid' : 'plain'}>
        <DialogLink open={{ plan: id }}>
          {isUpgrade ? 'Upgrade' : 'Downgrade'} to {name}…
        </DialogLink>
      </Button>
    )
  })
}
