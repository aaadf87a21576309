/** Time for which a claim lasts without renewal, in milliseconds. */
export const emailLeaseMs = 30_000

/** Interval in milliseconds at which a holder renews its leases. */
export const renewEveryMs = 10_000

/** Delay before the next renewal after one that failed: a store outage shorter than a lease costs no lease. */
export const renewAfterFailureMs = 2_000

/** A lease this close to its end counts as lost, because the clocks of two machines differ. */
export const leaseMarginMs = 5_000

/**
 * Maximum number of deaths of an email. A lease that ends without an outcome is a death of its worker. An email that
 * reaches this number is parked: it is never claimed again and waits for a person. A written outcome resets the count.
 */
export const maxDeaths = 20

/**
 * `hasLease`: the email has a lease that ended without an outcome. A worker that writes an outcome removes its lease.
 */
export type ExpiredLease = { deaths: number; hasLease: boolean }

/** Returns the deaths of an email when its lease, if it has one, ends without an outcome. */
export const deathsAfter = ({ deaths, hasLease }: ExpiredLease): number => deaths + (hasLease ? 1 : 0)

/** Decides what a claim does with a due email: leases it, or parks it. */
export const claimOutcome = (before: ExpiredLease): { kind: 'leased' | 'parked'; deaths: number } => {
  const deaths = deathsAfter(before)
  return { kind: deaths >= maxDeaths ? 'parked' : 'leased', deaths }
}
