import { fairQueue } from '@postrider/domain/fairness/fairQueue.ts'
import { mayTakeMore, ownerCounts } from '@postrider/domain/fairness/fairShare.ts'

/** Runs a bounded number of jobs at the same time; the others wait. */
export type WorkerPool<Job> = {
  add(jobs: readonly Job[]): void
  /** Returns how many jobs run. */
  active(): number
  /** Resolves when the jobs that run now have ended. */
  settled(): Promise<void>
  /** Starts no more jobs. @returns the jobs that were waiting */
  stop(): Job[]
}

export type WorkerPoolOptions<Job> = {
  /** Maximum number of jobs that run at the same time. */
  size: number
  /** Owners take turns, and no owner fills the pool, however many and however slow its jobs are. */
  ownerOf(job: Job): string
  /** Must not reject. */
  work(job: Job): Promise<void>
  /** Called after a job has ended and the next has started. */
  onSlotFree(): void
}

export const workerPool = <Job>({ size, ownerOf, work, onSlotFree }: WorkerPoolOptions<Job>): WorkerPool<Job> => {
  const waiting = fairQueue<Job>()
  // Not `runningWork`: each email has one job, and needs one promise less here.
  const active = new Set<Promise<void>>()
  const slots = ownerCounts()
  let isStopped = false
  const mayStart = (owner: string): boolean => mayTakeMore(slots.of(owner), size - active.size)

  const start = (owner: string, job: Job): void => {
    slots.add(owner, 1)
    const done = work(job).then(() => {
      active.delete(done)
      slots.add(owner, -1)
      fill()
      onSlotFree()
    })
    active.add(done)
  }

  const fill = (): void => {
    while (active.size < size && !isStopped) {
      const next = waiting.next(mayStart)
      if (next === undefined) return
      start(next.owner, next.item)
    }
  }

  return {
    add: (jobs) => {
      for (const job of jobs) waiting.add(ownerOf(job), job)
      fill()
    },
    active: () => active.size,
    settled: async () => {
      await Promise.all(active)
    },
    stop: () => {
      isStopped = true
      const jobs: Job[] = []
      for (let next = waiting.next(always); next; next = waiting.next(always)) jobs.push(next.item)
      return jobs
    },
  }
}

const always = (): boolean => true
