import type { UnknownPolicy } from '@postrider/domain/email/email.ts'
import type { PlanName } from '@postrider/domain/quota/plans.ts'

/** A workspace as the account store has it. Times are milliseconds since the epoch. */
export type StoredWorkspace = {
  id: string
  name: string
  /** The plan of the sign-up, which release 0.1 reads. The ledger has the plan in effect. */
  plan: PlanName
  /** Display name on the shared sender; empty: none is set. */
  senderName: string
  /** Empty: none is set. */
  postalAddress: string
  onUnknown: UnknownPolicy
  /** `none`, `metadata` or a number of days; empty: the default. */
  retention: string
  /** Spending cap that release 0.1 wrote. The ledger has the spending cap in effect. */
  spendingCapUsd: number | null
  /** Set by the operator, or while the deletion is scheduled: sends are refused. */
  suspended: boolean
  /** Why the operator stopped the mail, for the workspace's users; empty: no reason is given. */
  suspendedReason: string
  /** When the workspace is deleted; null: no deletion is scheduled. */
  deletesAt: number | null
  /** Whether a canceled deletion lets the mail leave again: the operator had not stopped it before. */
  resumesOnRestore: boolean
  /** The operator's note; the workspace's users cannot read it. */
  note: string
  /** The operator's override in requests per second; null: the default, 0: no limit. */
  rate: number | null
  burst: number | null
  /** Members need a second factor; without one they reach only their own account. */
  requireTotp: boolean
  createdAt: number
}
