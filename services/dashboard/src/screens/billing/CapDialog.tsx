import { UpdateWorkspace } from '@postrider/contracts/http/workspace.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/ApiProvider.tsx'
import { type Plan, refreshBilling } from '../../api/billing.ts'
import type { Usage } from '../../api/stats.ts'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { TextInput } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { count } from '../overview/figures.ts'
import { maxSends } from './forecast.ts'
import { usd } from './money.ts'

type Values = { spending_cap_usd: string }

/** Sets the most that sends beyond the plan may cost in a month. */
export const CapDialog = ({ usage, plan, onClose }: { usage: Usage; plan: Plan; onClose: () => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { cap_usd, amount_usd } = usage.overage
  const form = useApiForm<Values>({
    schema: UpdateWorkspace,
    values: { spending_cap_usd: cap_usd ?? '' },
    submit: async ({ spending_cap_usd }) => {
      const changed = await api.patch('/api/v1/workspace', { body: { spending_cap_usd } })
      await refreshBilling(queries)
      toast({ title: `The spending cap is ${usd(changed.spending_cap_usd ?? '0.00')}` })
      onClose()
    },
  })
  const typed = form.watch('spending_cap_usd')
  return (
    <Dialog
      open
      onClose={onClose}
      title={cap_usd === null ? 'Set a spending cap' : 'Change the spending cap'}
      description="The most that sends beyond the plan may cost in a month. Further sends are refused; the price of the plan is not part of it."
    >
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <Field
          label="Cap in US dollars a month"
          hint={`Sends beyond the plan cost ${usd(amount_usd)} this month so far.`}
          error={form.errorAt('spending_cap_usd')}
        >
          <TextInput
            autoFocus
            autoComplete="off"
            inputMode="decimal"
            placeholder="20.00"
            {...form.register('spending_cap_usd')}
          />
        </Field>
        <p role="status" className="min-h-5 text-small text-muted">
          {effectText(typed.trim(), usage, plan)}
        </p>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="solid" busy={form.isBusy} disabled={typed.trim() === ''}>
            {cap_usd === null ? 'Set cap' : 'Change cap'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Returns what a cap means for the sends of the month; empty: it is not an amount. */
const effectText = (typed: string, usage: Usage, plan: Plan): string => {
  const { limit, used } = usage.monthly
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(typed) || limit === null || plan.overage === null) return ''
  const max = maxSends({ ...usage, overage: { ...usage.overage, cap_usd: typed } }, plan) ?? limit
  if (max === limit)
    return `Allows no sends beyond the plan: ${count(plan.overage.per)} cost ${usd(plan.overage.price_usd)}.`
  const allows = `Allows ${count(max - limit)} sends beyond the plan, ${count(max)} in all.`
  return used >= max ? `${allows} ${count(used)} are used, so further sends are refused immediately.` : allows
}
