import { mayTakeMore } from './fairShare.ts'
import { roundRobin } from './roundRobin.ts'
import { makeTally } from './tally.ts'

/** Works on so many jobs at a time; the others wait for their owner's turn. */
export type Crew<Job> = {
  add(jobs: readonly Job[]): void
  /** Jobs in work. */
  active(): number
  /** Resolves when all that is in work now has ended. */
  pass(): Promise<void>
  /** Begins nothing more. @returns what was not begun */
  stop(): Job[]
}

type Given<Job> = {
  size: number
  /** Owners have their turns in a circle, and none holds all places, however many jobs it has and however slow they are. */
  ownerOf(job: Job): string
  /** Must not reject. */
  work(job: Job): Promise<void>
  /** Called whenever a job has ended and the next was begun. */
  freed(): void
}

export const makeCrew = <Job>({ size, ownerOf, work, freed }: Given<Job>): Crew<Job> => {
  const waiting = roundRobin<Job>()
  const active = new Set<Promise<void>>()
  const places = makeTally()
  let stopped = false
  const mayBegin = (owner: string): boolean => mayTakeMore(places.of(owner), size - active.size)

  const start = ({ owner, item }: { owner: string; item: Job }): void => {
    places.add(owner, 1)
    const done = work(item).then(() => {
      active.delete(done)
      places.add(owner, -1)
      begin()
      freed()
    })
    active.add(done)
  }

  const begin = (): void => {
    while (active.size < size && !stopped) {
      const next = waiting.next(mayBegin)
      if (next === undefined) return
      start(next)
    }
  }

  return {
    add: (jobs) => {
      for (const job of jobs) waiting.add(ownerOf(job), job)
      begin()
    },
    active: () => active.size,
    pass: async () => {
      await Promise.all(active)
    },
    stop: () => {
      stopped = true
      const unbegun: Job[] = []
      for (let next = waiting.next(anybody); next; next = waiting.next(anybody)) unbegun.push(next.item)
      return unbegun
    },
  }
}

const anybody = (): boolean => true
