import type { Limits__Output } from '@postrider/contracts/gen/postrider/quota/v1/Limits.ts'
import type { SetLimitsRequest__Output } from '@postrider/contracts/gen/postrider/quota/v1/SetLimitsRequest.ts'
import { type PlanName, plans } from '@postrider/domain/quota/plans.ts'
import type { Allowance } from '@postrider/domain/quota/quota.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { type Problem, refuseAny } from '@postrider/kit/fault.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { Ledger } from '@postrider/ports/ledger.ts'

const limitText = (limit: number | null | 'plan'): string => (limit === null ? 'none' : String(limit))

export const limitsRecord = ({ monthly, daily }: Allowance): Limits__Output => ({
  monthly: limitText(monthly),
  daily: limitText(daily),
})

/** Sends; far beyond what one installation sends, far below where numbers lose count. */
const highestLimit = 1_000_000_000_000
const highestCapUsd = 1_000_000

/** A limit as the ledger keeps it, or undefined where the text is none. */
const parseLimit = (text: string): number | null | 'plan' | undefined => {
  if (text === 'plan') return 'plan'
  if (text === 'none') return null
  const limit = /^\d{1,13}$/.test(text) ? Number(text) : Number.NaN
  return limit <= highestLimit ? limit : undefined
}

const parseCap = (text: string): number | null | undefined => {
  if (text === 'none') return null
  const cap = /^\d{1,7}(\.\d{1,2})?$/.test(text) ? Number(text) : Number.NaN
  return cap <= highestCapUsd ? cap : undefined
}

const isPlan = (text: string): text is PlanName => Object.hasOwn(plans, text)

const unreadable = (path: string, message: string): Problem => ({ path, code: 'invalid_value', message })

const limitMessage = 'This is "plan", null or a whole number of sends.'

const problemsOf = ({ monthly, daily, plan, spending_cap_usd }: SetLimitsRequest__Output): Problem[] => [
  ...(monthly !== undefined && parseLimit(monthly) === undefined ? [unreadable('limits.monthly', limitMessage)] : []),
  ...(daily !== undefined && parseLimit(daily) === undefined ? [unreadable('limits.daily', limitMessage)] : []),
  ...(plan !== undefined && !isPlan(plan)
    ? [unreadable('plan', `The plans are ${Object.keys(plans).join(', ')}.`)]
    : []),
  ...(spending_cap_usd !== undefined && parseCap(spending_cap_usd) === undefined
    ? [unreadable('spending_cap_usd', `This is an amount in US dollars and whole cents, from 0 to ${highestCapUsd}.`)]
    : []),
]

/** What is given, as the ledger keeps it; nothing of it is undefined once there are no problems. */
const changeOf = ({ monthly, daily, plan, spending_cap_usd }: SetLimitsRequest__Output): Partial<Allowance> => ({
  ...(monthly === undefined ? {} : { monthly: parseLimit(monthly) ?? null }),
  ...(daily === undefined ? {} : { daily: parseLimit(daily) ?? null }),
  ...(plan !== undefined && isPlan(plan) ? { plan } : {}),
  ...(spending_cap_usd === undefined ? {} : { spendingCapUsd: parseCap(spending_cap_usd) ?? null }),
})

/**
 * Changes the given limits; an absent one stays. The operator's are written to the audit log here; a spending cap
 * alone is the owner's, and logged where they set it.
 */
export const setLimits = async (
  { ledger, now, audit }: { ledger: Pick<Ledger, 'setAllowance'>; now: Clock; audit: Audit | undefined },
  request: SetLimitsRequest__Output,
): Promise<Limits__Output> => {
  refuseAny(problemsOf(request))
  const change = changeOf(request)
  const allowance = await ledger.setAllowance(request.workspace, change)
  const { spendingCapUsd, ...operators } = change
  if (Object.keys(operators).length > 0)
    await audit?.record({
      workspace: request.workspace,
      at: now(),
      actor: 'operator',
      action: 'workspace.limits',
      target: '',
      detail: spendingCapUsd === undefined ? operators : { ...operators, spendingCapUsd },
    })
  return limitsRecord(allowance)
}
