import type { ClaimedDomain } from '@postrider/domain/domains/domain.ts'
import { checkLeaseMs } from '@postrider/domain/domains/life.ts'
import { periodicJob } from '@postrider/kit/every.ts'
import { logFailure } from '@postrider/kit/failureLog.ts'
import { runningWork } from '@postrider/kit/runningWork.ts'
import { singleFlight } from '@postrider/kit/singleFlight.ts'
import type { Deps } from './deps.ts'
import { type CheckDeps, runCheck } from './runCheck.ts'

/** Checks the domains that are due. */
export type Checker = AsyncDisposable & {
  /** Checks every domain that is due now, and those that become due in the process. */
  checkDue(): Promise<void>
}

/**
 * Maximum number of domains of one claim, and the time between two claims: so the first queries of many checks do not
 * exceed the buffer of a DNS server.
 */
const [maxPerClaim, claimEveryMs] = [8, 20]
/** Average time between polls for domains that became due. */
const pollEveryMs = 3_000
/** Average time between counts of all domains, for metrics. A count reads an index entry for each domain. */
const countEveryMs = 60_000
/** A domain whose check is due for longer counts as overdue. */
const overdueMs = 600_000

/** A check that runs. `startedAt` is monotonic, in milliseconds. */
type Running = { startedAt: number; conclude: AbortController }

/**
 * Checks due domains until it is disposed, `limits.checks` at a time. Processes share the work by leases of the store.
 * A check that ends allows the next claim, so no domain waits for a poll while others are due.
 */
export const openChecker = (deps: CheckDeps & Pick<Deps, 'pause'>): Checker => {
  const { domains, now, random, pause, limits, log } = deps
  const stopping = new AbortController()
  const work = runningWork()
  const running = new Set<Running>()
  let isMoreDue = false

  const check = async (claimed: ClaimedDomain, conclude: AbortSignal): Promise<void> => {
    try {
      await runCheck(deps, claimed, { actor: 'system', signal: stopping.signal, conclude })
    } catch (err) {
      // The domain is due again when its lease has expired.
      logFailure(log, { err, domain_id: claimed.domain.id }, 'domain check failed')
    }
  }
  const begin = (claimed: ClaimedDomain): void => {
    const one: Running = { startedAt: performance.now(), conclude: new AbortController() }
    running.add(one)
    void work.track(check(claimed, one.conclude.signal)).then(() => {
      running.delete(one)
      if (isMoreDue && running.size <= Math.max(limits.checks - maxPerClaim, 0)) fill().catch(() => {})
    })
  }
  /**
   * Ends slow checks while other domains wait, with what is known: hostile DNS servers can delay a check for 30 s, and
   * few of their zones would delay the checks of all workspaces. A question without an answer changes no status.
   */
  const concludeSlow = async (): Promise<void> => {
    const latest = performance.now() - limits.patienceMs
    const slow = [...running].filter(({ startedAt }) => startedAt <= latest)
    if (slow.length === 0 || ((await domains.nextDue()) ?? Number.POSITIVE_INFINITY) > now()) return
    for (const { conclude } of slow) conclude.abort()
  }
  const claimUntilFull = async (): Promise<void> => {
    for (;;) {
      const limit = Math.min(limits.checks - running.size, maxPerClaim)
      isMoreDue = limit <= 0
      if (isMoreDue) await concludeSlow()
      if (isMoreDue || stopping.signal.aborted) return
      const claimed = await domains.claim({ now: now(), limit, leaseMs: checkLeaseMs })
      for (const domain of claimed) begin(domain)
      if (claimed.length < limit) return
      await pause(claimEveryMs)
    }
  }
  const { run: fill, inFlight: filling } = singleFlight(claimUntilFull)
  const checkDue = async (): Promise<void> => {
    for (await fill(); work.size() > 0; await fill()) await work.ended()
  }
  const polling = periodicJob(fill, { everyMs: pollEveryMs, log, message: 'cannot claim due domains', random })
  const counting = periodicJob(() => count(deps), {
    everyMs: countEveryMs,
    startNow: true,
    log,
    message: 'cannot count domains',
    random,
  })
  return {
    checkDue,
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await Promise.all([polling[Symbol.asyncDispose](), counting[Symbol.asyncDispose]()])
      await filling()?.catch(() => {})
      await work.ended()
    },
  }
}

const count = async ({ domains, now, metrics }: CheckDeps): Promise<void> => {
  const { byStatus, overdue } = await domains.counts(now() - overdueMs)
  for (const [status, value] of Object.entries(byStatus)) metrics.domains.set({ status }, value)
  metrics.domainsOverdue.set(overdue)
}
