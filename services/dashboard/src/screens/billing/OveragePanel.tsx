import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type Plan, refreshBilling } from '../../api/billing.ts'
import { useMay } from '../../api/session.ts'
import type { Usage } from '../../api/stats.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { useNow } from '../../ui/RelativeTime.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { count } from '../overview/figures.ts'
import { dayText } from './billingTexts.ts'
import { DialogLink } from './DialogLink.tsx'
import { type Forecast, forecastOf } from './forecast.ts'
import { usd, usdOfCents } from './money.ts'
import { Section } from './Section.tsx'

/** Shows what sends beyond the plan cost so far and by the end of the month, and the most that they may cost. */
export const OveragePanel = ({ usage, plan }: { usage: Usage; plan: Plan }) => {
  const mayChange = useMay('owner')
  const [isRemoving, setRemoving] = useState(false)
  const forecast = forecastOf(usage, plan, useNow())
  const { allowed, cap_usd, amount_usd } = usage.overage
  // A cap has a meaning on plans with overage; one that was set before is shown on each.
  const hasCap = allowed || cap_usd !== null
  return (
    <Section
      id="overage"
      title={allowed ? 'Beyond the plan' : 'Forecast'}
      note={allowed ? 'Invoiced after the month' : 'At the rate so far'}
      actions={
        mayChange &&
        hasCap && (
          <>
            <Button asChild size="small" className="max-sm:h-10">
              <DialogLink open={{ cap: true }}>{cap_usd === null ? 'Set a cap…' : 'Change cap…'}</DialogLink>
            </Button>
            {cap_usd !== null && (
              <Button size="small" className="max-sm:h-10" variant="quiet" onClick={() => setRemoving(true)}>
                Remove cap…
              </Button>
            )}
          </>
        )
      }
    >
      <p className="mb-3">
        <span className="text-title font-semibold tabular-nums">
          {allowed ? usd(amount_usd) : forecast ? count(forecast.sends) : '–'}
        </span>{' '}
        <span className="text-small text-muted">
          {allowed ? 'so far' : forecast ? `sends by ${lastDay(usage)}` : unknownText(usage)}
        </span>
      </p>
      <Facts facts={factsOf(usage, plan, forecast)} />
      {!allowed && usage.monthly.limit !== null && (
        <p className="mt-3 text-tiny text-faint">
          Sends beyond the plan are refused, so nothing is charged for them.
          {cap_usd !== null && ' The cap applies on a plan that charges for them.'}
        </p>
      )}
      {isRemoving && <RemoveCapDialog onClose={() => setRemoving(false)} />}
    </Section>
  )
}

const factsOf = (usage: Usage, plan: Plan, forecast: Forecast | null): (readonly [string, string])[] => {
  const { allowed, cap_usd, sends, blocks } = usage.overage
  const facts: [string, string][] = []
  if (allowed) {
    facts.push(['Sends', sends === 0 ? 'None' : `${count(sends)} ${blocksText(blocks, plan)}`])
    const cost = forecast && `${usdOfCents(forecast.cents)} with ${count(forecast.sends)} sends by ${lastDay(usage)}`
    facts.push(['Forecast', cost ?? unknownText(usage)])
  }
  if (allowed || cap_usd !== null) facts.push(['Spending cap', cap_usd === null ? 'None' : usd(cap_usd)])
  if (forecast?.refusedFrom) facts.push([allowed ? 'Cap reached' : 'Used up', `About ${dayText(forecast.refusedFrom)}`])
  return facts
}

const lastDay = ({ period }: Usage): string => dayText(Date.parse(period.end) - 1)

const unknownText = ({ monthly }: Usage): string =>
  monthly.used === 0 ? 'Nothing was sent yet' : 'After the first day'

const blocksText = (blocks: number, { overage }: Plan): string =>
  `in ${count(blocks)} started ${blocks === 1 ? 'block' : 'blocks'} of ${count(overage?.per ?? 0)}`

/** Removes the spending cap. */
const RemoveCapDialog = ({ onClose }: { onClose: () => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  return (
    <ConfirmDialog
      title="Remove the spending cap?"
      action="Remove cap"
      onClose={onClose}
      run={async () => {
        await api.patch('/api/v1/workspace', { body: { spending_cap_usd: null } })
        await refreshBilling(queries)
        toast({ title: 'There is no spending cap any more' })
      }}
    >
      <p>Then sends beyond the plan are accepted without a limit, and each started block is invoiced.</p>
    </ConfirmDialog>
  )
}
