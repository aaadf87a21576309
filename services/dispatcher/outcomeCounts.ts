import { hasOutcome } from '@postrider/domain/email/countedResults.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import { affectsReputation, hourOf, reputationCounts } from '@postrider/domain/reputation/reputation.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { periodicJob } from '@postrider/kit/every.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { OutcomeCounts, WorkspaceOutcomes } from '@postrider/ports/reputation.ts'
import type { FinishedAttempt } from './metrics.ts'

export type OutcomeCounter = AsyncDisposable & {
  /** Counts the recipients that an attempt delivered to, or that bounced. */
  count(email: Email, attempt: Pick<FinishedAttempt, 'transmission'>): void
  /** Writes what was counted. */
  flush(): Promise<void>
}

type Options = {
  store: OutcomeCounts
  now: Clock
  log: Pick<Log, 'info' | 'warn' | 'error'>
  random?: () => number
}

/** Average time between two writes. A process that dies loses what it counted since the last one. */
const flushEveryMs = 10_000
/** Workspaces and hours in memory. Above that, while the store is unavailable, no other workspace is counted. */
const maxCounts = 50_000
/** Counts of one write. */
const batchSize = 500

/**
 * Counts what becomes of live mail, for the reputation of workspaces: in memory, written as one count for each
 * workspace and hour. So an email costs no write of its own. The counts are statistics: a crash may lose some seconds
 * of them.
 */
export const outcomeCounter = ({ store, now, log, random = Math.random }: Options): OutcomeCounter => {
  let counts = new Map<string, WorkspaceOutcomes>()

  const add = (one: WorkspaceOutcomes): void => {
    const key = `${one.workspace} ${one.hour}`
    const known = counts.get(key)
    if (known) {
      known.delivered += one.delivered
      known.bounced += one.bounced
      known.complained += one.complained
    } else if (counts.size < maxCounts) counts.set(key, { ...one })
  }

  const write = async (): Promise<void> => {
    const waiting = [...counts.values()]
    counts = new Map()
    while (waiting.length > 0) {
      try {
        await store.addOutcomes(waiting.slice(0, batchSize))
      } catch (thrown) {
        for (const one of waiting) add(one)
        throw thrown
      }
      waiting.splice(0, batchSize)
    }
  }
  const { run, ...job } = periodicJob(write, {
    everyMs: flushEveryMs,
    log,
    message: 'cannot write outcome counts',
    runsAtEnd: true,
    random,
  })
  return {
    count: (email, { transmission }) => {
      if (!affectsReputation(email)) return
      const decided = (email.attempts.at(-1)?.recipients ?? []).filter((_, index) =>
        hasOutcome(transmission.results[index]),
      )
      const found = reputationCounts(decided.flatMap((number) => email.recipients[number] ?? []))
      if (found.delivered + found.bounced > 0) add({ workspace: email.workspace, hour: hourOf(now()), ...found })
    },
    flush: run,
    ...job,
  }
}
