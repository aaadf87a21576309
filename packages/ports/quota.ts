import type { Reservation, Tightest } from '@postrider/domain/quota/quota.ts'
import type { Ledger } from './ledger.ts'

/** The quota as a send uses it: the ledger behind the quota service. Repeatable, as the ledger's operations are. */
export type SendQuota = Pick<Ledger, 'commit' | 'release' | 'pending' | 'settle'> & {
  /** Takes the sends of an email.
   * @returns the token for `commit`, and the quota with the fewest sends left; null: no quota has a limit
   * @throws Fault `quota_exceeded`: it does not fit as a whole, nothing was taken */
  reserve(entry: Reservation): Promise<{ token: string; tightest: Tightest | null }>
}
