import type { Clock } from '@postrider/kit/clock.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { AccountStore } from '@postrider/ports/accounts.ts'
import type { BillingStore } from '@postrider/ports/billing.ts'
import type { Ledger } from '@postrider/ports/ledger.ts'
import type { Payments } from '@postrider/ports/payments.ts'
import type { QuotaMetrics } from './metrics.ts'

/** Dependencies of every operation of this service. */
export type Deps = {
  ledger: Ledger
  billing: BillingStore
  payments: Payments
  /** Only a workspace that exists is billed: a sign-up that failed may have left a plan. */
  accounts: Pick<AccountStore, 'workspace'>
  now: Clock
  log: Pick<Log, 'info' | 'warn' | 'error'>
  metrics: QuotaMetrics
}
