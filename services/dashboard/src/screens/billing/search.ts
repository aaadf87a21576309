import { oneOf, present } from '../../app/search.ts'

/** Reads what the URL of the screen chooses. Values that it does not know are left out. */
export const billingSearch = (search: Record<string, unknown>) =>
  present({
    view: oneOf(search['view'], ['table'] as const),
    /** The plan whose change is shown before it is confirmed. */
    plan: oneOf(search['plan'], ['free', 'pro'] as const),
    /** Whether the spending cap is being changed. */
    cap: search['cap'] === true || undefined,
  })

export type BillingSearch = ReturnType<typeof billingSearch>
