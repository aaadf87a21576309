import type { ChangePlanRequest__Output } from '@postrider/contracts/gen/postrider/quota/v1/ChangePlanRequest.ts'
import type { PlanState } from '@postrider/contracts/services.ts'
import type { BillingAccount, Checkout } from '@postrider/domain/billing/account.ts'
import { minPageMs } from '@postrider/domain/billing/collections.ts'
import { choiceOf, planForNextMonth, startPlan, upgradeCents } from '@postrider/domain/billing/planChoice.ts'
import { type Allowance, allowanceAt, offeredPlans, type PlanName, plans } from '@postrider/domain/quota/plans.ts'
import { dayStart } from '@postrider/domain/time.ts'
import { invalid } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { planEntry } from './auditEntries.ts'
import { changeBilling } from './billingState.ts'
import type { Deps } from './deps.ts'
import { pendingRecord } from './usage.ts'

type Known = { allowance: Allowance; account: Pick<BillingAccount, 'customer'> | null }

const planState = (
  { payments, now }: Pick<Deps, 'payments' | 'now'>,
  { allowance: stored, account }: Known,
  checkoutUrl?: string,
): PlanState => {
  const allowance = allowanceAt(stored, now())
  return {
    plan: allowance.plan,
    ...pendingRecord(allowance),
    ...(checkoutUrl === undefined ? {} : { checkout_url: checkoutUrl }),
    payment: payments.hasPages ? 'page' : 'outside',
    portal: payments.hasPages && account?.customer !== undefined,
  }
}

/** Returns the plan of a workspace, and the one that begins next month. */
export const getPlan = async (
  deps: Pick<Deps, 'billing' | 'payments' | 'now'>,
  workspace: string,
): Promise<PlanState> => planState(deps, await deps.billing.read(workspace))

const isOffered = (text: string): text is (typeof offeredPlans)[number] =>
  (offeredPlans as readonly string[]).includes(text)

/**
 * Chooses a plan for a workspace. An upgrade begins immediately; if the payment provider requires a payment first, it
 * begins after the payment, and the response has the page for it. A downgrade begins with the next month. The current
 * plan revokes it.
 */
export const changePlan = async (deps: Deps, request: ChangePlanRequest__Output): Promise<PlanState> => {
  const { workspace, actor } = request
  const plan = offered(request.plan)
  const checkout = await checkoutFor(deps, request, plan)
  if (checkout !== null) return checkout
  const origin = { workspace, at: deps.now(), actor, clientAddress: request.client_address }
  const changed = await changeBilling(
    deps,
    workspace,
    (billing, context) => {
      const choice = choiceOf(billing, plan, context.now)
      if (choice === 'none') return billing
      if (choice === 'upgrade') return startPlan(billing, plan, context)
      return planForNextMonth(billing, choice === 'downgrade' ? plan : null, context.now)
    },
    { entryOf: planEntry(origin, 'plan.update') },
  )
  return planState(deps, changed)
}

/** Returns the plan of a request. @throws Fault `validation_failed`: an owner cannot choose it */
export const offered = (plan: string): (typeof offeredPlans)[number] => {
  if (isOffered(plan)) return plan
  const message = `Use one of the plans: ${offeredPlans.join(', ')}.`
  throw invalid({ path: 'plan', code: 'invalid_value', message })
}

/**
 * Begins the payment of an upgrade. A repeated request gets the page of the first one.
 * @returns null: the choice needs no payment first
 */
const checkoutFor = async (
  deps: Deps,
  { workspace, email, return_url: returnUrl }: ChangePlanRequest__Output,
  plan: PlanName,
): Promise<PlanState | null> => {
  const { payments } = deps
  const now = deps.now()
  const state = await changeBilling(deps, workspace, (billing) => billing)
  const { account } = state
  const amountCents = choiceOf(state, plan, now) === 'upgrade' ? upgradeCents(state, plan, now) : 0
  if (amountCents === 0) return null
  const begun = account.checkout ?? null
  if (begun !== null && isSame(begun, { plan, amountCents, now })) return planState(deps, state, begun.url)
  const id = newId('pay')
  const description = `${plans[plan].name} plan`
  const customer = account.customer ?? null
  const page = await payments.begin({
    id,
    workspace,
    plan,
    invoice: null,
    description,
    amountCents,
    customer,
    email,
    returnUrl,
    now,
  })
  if (page === null) return null
  const checkout: Checkout = { id, ...page, plan, at: now, amountCents }
  const changed = await changeBilling(deps, workspace, (billing) => ({
    ...billing,
    account: { ...billing.account, checkout, returnUrl },
  }))
  // Two pages could both be paid. What is paid twice nevertheless is credited.
  if (begun !== null) await payments.end(begun.session).catch((err: unknown) => logEnd(deps, err))
  return planState(deps, changed, page.url)
}

const logEnd = ({ log }: Deps, err: unknown): void => log.warn({ err }, 'cannot expire replaced checkout session')

const isSame = (
  { plan, amountCents, at, until }: Checkout,
  wanted: { plan: PlanName; amountCents: number; now: number },
): boolean =>
  plan === wanted.plan &&
  amountCents === wanted.amountCents &&
  dayStart(at) === dayStart(wanted.now) &&
  until > wanted.now + minPageMs
