import type { ReactNode } from 'react'
import type { Plan, Subscription } from '../../api/billing.ts'
import { useMay } from '../../api/session.ts'
import type { Usage } from '../../api/stats.ts'
import type { Tone } from '../../ui/Badge.tsx'
import { classes } from '../../ui/classes.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { dayText } from './billingTexts.ts'
import { DialogLink } from './DialogLink.tsx'
import { type Standing, standingsOf } from './standing.ts'

const tones: Readonly<Record<Tone, string>> = {
  good: 'bg-good-tint text-good',
  bad: 'bg-bad-tint text-bad',
  warn: 'bg-warn-tint text-warn',
  info: 'bg-info-tint text-info',
  idle: 'bg-idle-tint text-idle',
}

const Notice = ({ tone, title, children }: { tone: Tone; title: string; children: ReactNode }) => (
  <div className={classes('rounded-md px-3 py-2 text-small', tones[tone])}>
    <span className="font-medium">{title}.</span> {children}
  </div>
)

const linkClasses = 'font-medium underline underline-offset-2'

/** Notices about the quotas and the plan, each with its remedy. */
export const Notices = ({
  usage,
  plan,
  plans,
  subscription: { pending_plan, changes_at },
}: {
  usage: Usage
  plan: Plan
  plans: readonly Plan[]
  subscription: Subscription
}) => {
  const standings = standingsOf(usage, plan)
  const pending = plans.find(({ id }) => id === pending_plan)
  if (standings.length === 0 && !pending) return null
  return (
    <div className="mb-4 flex flex-col gap-2">
      {standings.map((standing) => (
        <Notice key={standing.name} tone={standing.tone} title={standing.title}>
          {standing.text} A new {standing.name} begins <RelativeTime at={standing.until} />.{' '}
          <Remedy standing={standing} plan={plan} plans={plans} />
        </Notice>
      ))}
      {pending && changes_at !== null && (
        <Notice tone="info" title={`${pending.name} replaces ${plan.name} on ${dayText(changes_at)} (UTC)`}>
          Until then {plan.name} stays as it is. <Keep plan={plan} />
        </Notice>
      )}
    </div>
  )
}

const Remedy = ({ standing, plan, plans }: { standing: Standing; plan: Plan; plans: readonly Plan[] }) => {
  const mayChange = useMay('owner')
  const higher = plans[plans.indexOf(plan) + 1]
  if (!mayChange || standing.remedy === null) return null
  if (standing.remedy === 'cap') {
    return (
      <DialogLink open={{ cap: true }} className={linkClasses}>
        Change the cap
      </DialogLink>
    )
  }
  if (!higher || higher.id === 'unlimited') return null
  const { id, name } = higher
  return (
    <DialogLink open={{ plan: id }} className={linkClasses}>
      Upgrade to {name}
    </DialogLink>
  )
}

const Keep = ({ plan: { id, name } }: { plan: Plan }) => {
  const mayChange = useMay('owner')
  if (!mayChange || id === 'unlimited') return null
  return (
    <DialogLink open={{ plan: id }} className={linkClasses}>
      Keep {name}
    </DialogLink>
  )
}
