import { mayTakeMore, ownerCounts, withSpare } from '@postrider/domain/fairness/fairShare.ts'
import { initialConcurrency, nextConcurrency } from '@postrider/domain/webhooks/life.ts'
import { boundedMap } from '@postrider/kit/boundedMap.ts'

type EndpointKey = { endpoint: string; workspace: string }

/** Bounds the requests that run at the same time: of each endpoint (AIMD), of each workspace, and of the process. */
export type ConcurrencyLimits = {
  /** Acquires slots for up to `max` requests of an endpoint. @returns how many; 0: it has to wait */
  acquire(endpointKey: EndpointKey, max: number): number
  /** Acquires a slot for one request, even above the limits. */
  acquireUnchecked(endpointKey: EndpointKey): void
  /** Releases slots that were not used. */
  release(endpointKey: EndpointKey, count: number): void
  /**
   * Releases the slot of a request that has ended.
   * @param isDelivered null: the result does not depend on the receiver
   */
  end(endpointKey: EndpointKey, isDelivered: boolean | null): void
  /** Whether a workspace may acquire more. */
  mayAcquire(workspace: string): boolean
  active(): number
}

/** Endpoints whose limit differs from the initial one, at most. */
const maxKnown = 10_000

/** @param requests most requests of one workspace at the same time; an eighth more is for others */
export const concurrencyLimits = (requests: number): ConcurrencyLimits => {
  const total = withSpare(requests)
  const ofEndpoint = ownerCounts()
  const ofWorkspace = ownerCounts()
  const limits = boundedMap<number>(maxKnown)
  const limitOf = (endpoint: string): number => limits.get(endpoint) ?? initialConcurrency
  const mayAcquire = (workspace: string): boolean => mayTakeMore(ofWorkspace.of(workspace), total - ofWorkspace.total())
  const release = ({ endpoint, workspace }: EndpointKey, count: number): void => {
    ofEndpoint.add(endpoint, -count)
    ofWorkspace.add(workspace, -count)
  }
  const acquireUnchecked = (endpointKey: EndpointKey): void => release(endpointKey, -1)
  return {
    acquire: (endpointKey, max) => {
      const { endpoint, workspace } = endpointKey
      let acquired = 0
      while (acquired < max && ofEndpoint.of(endpoint) < limitOf(endpoint) && mayAcquire(workspace)) {
        acquireUnchecked(endpointKey)
        acquired += 1
      }
      return acquired
    },
    acquireUnchecked,
    release,
    end: (endpointKey, isDelivered) => {
      release(endpointKey, 1)
      if (isDelivered === null) return
      limits.set(endpointKey.endpoint, nextConcurrency(limitOf(endpointKey.endpoint), isDelivered))
    },
    mayAcquire,
    active: () => ofWorkspace.total(),
  }
}
