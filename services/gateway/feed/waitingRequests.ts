import type { Caller } from '@postrider/contracts/services.ts'
import { keyFamilyOf } from '@postrider/domain/accounts/apiKey.ts'
import { ownerCounts } from '@postrider/domain/fairness/fairShare.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { WaitLimits } from '../config.ts'

/** The caller of a request, and its session if it has one. */
type Waiting = { caller: Caller; session: { token: string } | null }

/** Counts the requests that wait for events. Each occupies a connection, so their number is bounded. */
export type WaitingRequests = {
  /**
   * Counts a request until it is disposed of.
   * @throws Fault `rate_limited`: too many wait already
   */
  enter(request: Waiting): Disposable
}

/** When a refused request may be accepted again. */
const retryAfterMs = 5_000

type Bound = { name: string; max: number; owner: string }

export const makeWaitingRequests = ({
  max,
  maxPerWorkspace,
  maxPerKey,
  maxPerSession,
}: WaitLimits): WaitingRequests => {
  const counts = ownerCounts()
  const boundsOf = ({ caller, session }: Waiting): Bound[] => [
    session
      ? { name: `session ${session.token}`, max: maxPerSession, owner: 'This session' }
      : { name: `key ${keyFamilyOf(caller)}`, max: maxPerKey, owner: 'This key' },
    { name: `workspace ${caller.workspace}`, max: maxPerWorkspace, owner: 'This workspace' },
    { name: 'all', max, owner: 'The service' },
  ]
  return {
    enter: (request) => {
      const bounds = boundsOf(request)
      const full = bounds.find(({ name, max }) => counts.of(name) >= max)
      if (full) {
        const detail = `${full.owner} already has ${full.max} pending requests with \`wait\`. Wait until one completes, or omit \`wait\`.`
        throw new Fault('rate_limited', detail, { retryAfterMs })
      }
      for (const { name } of bounds) counts.add(name, 1)
      return {
        [Symbol.dispose]: () => {
          for (const { name } of bounds) counts.add(name, -1)
        },
      }
    },
  }
}
