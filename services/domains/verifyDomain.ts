import type { ClaimedDomain, SendingDomain } from '@postrider/domain/domains/domain.ts'
import { checkLeaseMs, withCheckNow } from '@postrider/domain/domains/life.ts'
import { withTimeout } from '@postrider/kit/deadline.ts'
import { retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import { runningWork } from '@postrider/kit/runningWork.ts'
import { changeDomain } from './changeDomain.ts'
import { type Deps, readStored } from './deps.ts'
import { type CheckDeps, runCheck } from './runCheck.ts'

type VerifyDeps = CheckDeps & Pick<Deps, 'pause'>
type Request = { workspace: string; id: string; actor: string; clientAddress?: string | undefined }

/** Makes checks that people request. Disposing it ends those that run. */
export type Verifier = AsyncDisposable & {
  verify(request: Request): Promise<SendingDomain>
}

/** A check that a person requested. `isAnswered`: the request did not wait for its end. */
type Requested = { workspace: string; conclude: AbortController; isAnswered: boolean }

/** How soon a domain is checked whose workspace has had many checks made. */
const costlyDelayMs = 60_000

/** Time between tries to get the lease of a domain that another process checks. */
const tryEveryMs = 250

/**
 * Returns a verifier. A check that takes longer than `limits.requestMs` continues after the response, until another
 * request needs its slot: slow DNS of one workspace must not delay the requests of others. While too many checks that
 * people requested run, further ones wait for the checker; those of a workspace that had many checks made wait longer.
 */
export const openVerifier = (deps: VerifyDeps): Verifier => {
  const { domains, budgets, now, pause, limits, log } = deps
  const stopping = new AbortController()
  /** The checks that have a slot, oldest first. */
  const requests = new Set<Requested>()
  const running = runningWork()

  /** A check whose request has its response gives up its slot if another request needs it. */
  const hasRoom = (workspace: string): boolean => {
    const own = [...requests].filter((one) => one.workspace === workspace)
    const isFull = own.length >= limits.requestedOfWorkspace
    if (!isFull && requests.size < limits.requested) return true
    const answered = (isFull ? own : [...requests]).find(({ isAnswered }) => isAnswered)
    if (!answered) return false
    requests.delete(answered)
    answered.conclude.abort()
    return true
  }

  /** Waits for a check of another process, which may have queried DNS before the records were changed. */
  const claim = (id: string): Promise<ClaimedDomain | null> =>
    retryOnConflict<ClaimedDomain | null>(async () => (await domains.claimOne(id, now(), checkLeaseMs)) ?? undefined, {
      maxTries: Math.ceil(limits.requestMs / tryEveryMs),
      pause: () => pause(tryEveryMs),
      onBusy: () => null,
    })
  const check = async ({ id, actor, clientAddress }: Request, conclude: AbortSignal): Promise<void> => {
    const claimed = await claim(id)
    if (!claimed) return
    const at = now()
    const adjust = (domain: SendingDomain) => withCheckNow(domain, at).domain
    await runCheck(deps, claimed, { actor, clientAddress, signal: stopping.signal, conclude, adjust })
  }
  /** Leaves the check to the checker. */
  const checkWithin = async (request: Request, delayMs: number): Promise<SendingDomain> => {
    const change = (domain: SendingDomain) => {
      const { domain: next, nextCheckAt } = withCheckNow(domain, now())
      return delayMs === 0 ? { domain: next, checkAt: nextCheckAt } : { domain, checkAt: nextCheckAt + delayMs }
    }
    return (await changeDomain(deps, request, change)).after
  }
  return {
    verify: async (request) => {
      await readStored(deps, request)
      if (!(await budgets.mayCheck(request.workspace))) return checkWithin(request, costlyDelayMs)
      if (!hasRoom(request.workspace)) return checkWithin(request, 0)
      const mine: Requested = { workspace: request.workspace, conclude: new AbortController(), isAnswered: false }
      requests.add(mine)
      const ended = running.track(check(request, mine.conclude.signal).finally(() => requests.delete(mine)))
      // After the response there is no caller to report a failure to.
      ended.catch((err: unknown) => log.warn({ err, domain_id: request.id }, 'requested domain check failed'))
      await withTimeout(limits.requestMs, ended, { pause })
      mine.isAnswered = true
      return (await readStored(deps, request)).domain
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await running.ended()
    },
  }
}
