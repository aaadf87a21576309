import type { Quota } from '@postrider/contracts/services.ts'
import type { Deps } from './deps.ts'
import { type MonthClose, openMonthClose } from './monthClose.ts'
import { quotaService } from './quota.ts'

/** Opens the quota service and its job that closes months. Disposing ends the job. */
export const openQuota = ({
  random,
  ...deps
}: Deps & { random?: () => number }): AsyncDisposable & Pick<MonthClose, 'closeDue'> & { quota: Quota } => {
  const { closeDue, [Symbol.asyncDispose]: dispose } = openMonthClose(deps, random)
  return { quota: quotaService(deps), closeDue, [Symbol.asyncDispose]: dispose }
}
