import { oneOf, present } from '../../app/search.ts'

/** Reads the choices in the URL of the screen. Unknown values are ignored. */
export const billingSearch = (search: Record<string, unknown>) =>
  present({
    view: oneOf(search['view'], ['table'] as const),
    /** The plan whose change is shown before it is confirmed. */
    plan: oneOf(search['plan'], ['free', 'pro'] as const),
    /** Whether the spending cap is being changed. */
    cap: search['cap'] === true || undefined,
  })

export type BillingSearch = ReturnType<typeof billingSearch>
