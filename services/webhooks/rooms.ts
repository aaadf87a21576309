import { mayTakeMore, ownerCounts, withSpare } from '@postrider/domain/fairness/fairShare.ts'
import { firstRoom, roomAfter } from '@postrider/domain/webhooks/life.ts'
import { boundedMap } from '@postrider/kit/boundedMap.ts'

type Place = { endpoint: string; workspace: string }

/** How many requests run, and how many more may: of each endpoint, of each workspace, and of the process. */
export type Rooms = {
  /** Takes room for up to `max` requests of an endpoint. @returns how many; 0: it has to wait */
  take(place: Place, max: number): number
  /** Takes room for one request, also where there is none. */
  force(place: Place): void
  /** Returns room that was not used. */
  giveBack(place: Place, count: number): void
  /** Returns the room of a request that has ended. @param isDelivered null: it shows nothing about the receiver */
  end(place: Place, isDelivered: boolean | null): void
  /** Whether a workspace may take more. */
  mayTake(workspace: string): boolean
  active(): number
}

/** Endpoints whose room differs from the first one, at most. */
const maxKnown = 10_000

/** @param requests most requests of one workspace at the same time; an eighth more is for others */
export const requestRooms = (requests: number): Rooms => {
  const total = withSpare(requests)
  const ofEndpoint = ownerCounts()
  const ofWorkspace = ownerCounts()
  const rooms = boundedMap<number>(maxKnown)
  const roomOf = (endpoint: string): number => rooms.get(endpoint) ?? firstRoom
  const mayTake = (workspace: string): boolean => mayTakeMore(ofWorkspace.of(workspace), total - ofWorkspace.total())
  const giveBack = ({ endpoint, workspace }: Place, count: number): void => {
    ofEndpoint.add(endpoint, -count)
    ofWorkspace.add(workspace, -count)
  }
  const force = (place: Place): void => giveBack(place, -1)
  return {
    take: (place, max) => {
      const { endpoint, workspace } = place
      let taken = 0
      while (taken < max && ofEndpoint.of(endpoint) < roomOf(endpoint) && mayTake(workspace)) {
        force(place)
        taken += 1
      }
      return taken
    },
    force,
    giveBack,
    end: (place, isDelivered) => {
      giveBack(place, 1)
      if (isDelivered === null) return
      rooms.set(place.endpoint, roomAfter(roomOf(place.endpoint), isDelivered))
    },
    mayTake,
    active: () => ofWorkspace.total(),
  }
}
