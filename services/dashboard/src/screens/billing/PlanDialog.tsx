import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import {
  type Plan,
  type PlanName,
  type PlanPreview,
  planPreviewQuery,
  refreshBilling,
  type Subscription,
} from '../../api/billing.ts'
import { problemText } from '../../api/problem.ts'
import type { Usage } from '../../api/stats.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { dayText } from './billingTexts.ts'
import { PlanComparison } from './PlanComparison.tsx'
import { PlanEffect } from './PlanEffect.tsx'

type Words = { title: string; action: string; done: string }

const wordsOf = (effect: PlanPreview['effect'], plan: Plan, current: Plan, beginsAt: string | null): Words => {
  if (effect === 'downgrade') {
    return {
      title: `Downgrade to ${plan.name}?`,
      action: `Downgrade to ${plan.name}`,
      done: `${plan.name} begins on ${dayText(beginsAt ?? 0)}`,
    }
  }
  if (effect === 'revoke') {
    return { title: `Keep ${current.name}?`, action: `Keep ${current.name}`, done: `The plan stays ${current.name}` }
  }
  return {
    title: `Upgrade to ${plan.name}?`,
    action: `Upgrade to ${plan.name}`,
    done: `The workspace is on ${plan.name}`,
  }
}

/** Shows what a change of the plan does and costs, and makes it when it is confirmed. */
export const PlanDialog = ({
  target,
  plans,
  current,
  usage,
  subscription,
  onClose,
}: {
  target: PlanName
  plans: readonly Plan[]
  current: Plan
  usage: Usage
  subscription: Subscription
  onClose: () => void
}) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { data: preview, error } = useQuery(planPreviewQuery(api, target))
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const plan = plans.find(({ id }) => id === target) ?? current
  // Before it is read, what the order of the plans suggests, so that the words do not change.
  const expected = plan === current ? 'revoke' : plans.indexOf(plan) > plans.indexOf(current) ? 'upgrade' : 'downgrade'
  const effect = preview?.effect ?? expected
  const words = wordsOf(effect === 'none' ? expected : effect, plan, current, preview?.begins_at ?? null)
  const isPaidFirst = effect === 'upgrade' && subscription.payment === 'page' && preview?.due_usd !== '0.00'
  const change = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const { checkout_url } = await api.post('/api/v1/billing/plan', { body: { plan: target } })
      if (checkout_url !== null) return location.assign(checkout_url)
      await refreshBilling(queries)
      toast({ title: words.done })
      onClose()
    } catch (thrown) {
      setFailure(thrown)
      setBusy(false)
    }
  }
  return (
    <Dialog open wide onClose={onClose} title={words.title}>
      <div className="flex flex-col gap-5">
        {plan !== current && (
          <PlanComparison now={{ ...current, ...limitsOf(usage) }} next={{ ...plan, ...preview?.limits }} />
        )}
        {preview ? (
          <PlanEffect preview={preview} plan={plan} current={current} usage={usage} isPaidFirst={isPaidFirst} />
        ) : error ? (
          <ErrorNote>{problemText(error)}</ErrorNote>
        ) : (
          <div role="status" aria-label="Reading what it costs" className="flex h-32 flex-col gap-3">
            <Skeleton className="h-5 w-1/2" />
            <Skeleton className="h-5" />
            <Skeleton className="h-5" />
          </div>
        )}
        {failure !== null && <ErrorNote>{problemText(failure)}</ErrorNote>}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant={effect === 'downgrade' ? 'danger' : 'solid'}
          busy={isBusy}
          disabled={!preview || effect === 'none'}
          onClick={change}
        >
          {isPaidFirst ? 'Continue to payment' : words.action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const limitsOf = ({ monthly, daily }: Usage) => ({ monthly: monthly.limit, daily: daily.limit })
