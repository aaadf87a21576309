import { mayTakeMore, ownerCounts, withSpare } from '@postrider/domain/fairness/fairShare.ts'
import { initialConcurrency, nextConcurrency } from '@postrider/domain/webhooks/life.ts'
import { boundedMap } from '@postrider/kit/boundedMap.ts'

type Place = { endpoint: string; workspace: string }

/** Bounds the requests that run at the same time: of each endpoint (AIMD), of each workspace, and of the process. */
export type ConcurrencyLimits = {
  /** Acquires slots for up to `max` requests of an endpoint. @returns how many; 0: it has to wait */
  acquire(place: Place, max: number): number
  /** Acquires a slot for one request, even above the limits. */
  acquireUnchecked(place: Place): void
  /** Releases slots that were not used. */
  release(place: Place, count: number): void
  /** Releases the slot of a request that has ended. @param isDelivered null: the result does not depend on the receiver */
  end(place: Place, isDelivered: boolean | null): void
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
  const release = ({ endpoint, workspace }: Place, count: number): void => {
    ofEndpoint.add(endpoint, -count)
    ofWorkspace.add(workspace, -count)
  }
  const acquireUnchecked = (place: Place): void => release(place, -1)
  return {
    acquire: (place, max) => {
      const { endpoint, workspace } = place
      let acquired = 0
      while (acquired < max && ofEndpoint.of(endpoint) < limitOf(endpoint) && mayAcquire(workspace)) {
        acquireUnchecked(place)
        acquired += 1
      }
      return acquired
    },
    acquireUnchecked,
    release,
    end: (place, isDelivered) => {
      release(place, 1)
      if (isDelivered === null) return
      limits.set(place.endpoint, nextConcurrency(limitOf(place.endpoint), isDelivered))
    },
    mayAcquire,
    active: () => ofWorkspace.total(),
  }
}
