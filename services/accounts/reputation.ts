import { internalMode } from '@postrider/domain/events/event.ts'
import {
  assess,
  hourOf,
  type Reputation,
  type Rise,
  reputationWindows,
} from '@postrider/domain/reputation/reputation.ts'
import { hourMs } from '@postrider/domain/time.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { periodicJob } from '@postrider/kit/every.ts'
import { derivedId } from '@postrider/kit/ids.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { ReputationStore } from '@postrider/ports/reputation.ts'
import type { NewWorkspaceEvent, WorkspaceEventStore } from '@postrider/ports/workspaceEvents.ts'

export type ReputationOptions = {
  reputation: ReputationStore
  events: Pick<WorkspaceEventStore, 'insert'>
  now: Clock
  random?: () => number
  log: Pick<Log, 'info' | 'warn' | 'error'>
}

export type ReputationWatch = AsyncDisposable & {
  /** Assesses the workspaces with recent bounces or complaints. @returns how many rates rose to a level */
  assessDue(): Promise<number>
}

/** Average time between two polls. */
const pollEveryMs = 60_000
/** Counts of dispatchers that were delayed are seen for so long. */
const lateMs = 2 * hourMs
/** Counts are stored for a day more than the longest window. */
const storedMs = reputationWindows['30d'] + 24 * hourMs
const maxRemoved = 1_000

/**
 * Watches the rates of bounces and complaints. A rate that rises to a level causes one internal event: the event's id
 * names the rise, and it is stored before the level, so a crash or a second process in between stores the same event.
 */
export const openReputationWatch = (options: ReputationOptions): ReputationWatch => {
  const { log, reputation, now, random = Math.random } = options
  const assessDue = async (stopping: AbortSignal): Promise<number> => {
    let rises = 0
    for (const workspace of await reputation.troubled(hourOf(now() - lateMs))) {
      if (stopping.aborted) break
      rises += await assessOne(options, workspace)
    }
    await reputation.removeOutcomes(hourOf(now() - storedMs), maxRemoved)
    return rises
  }
  const { run, ...job } = periodicJob(
    async (stopping) => {
      const count = await assessDue(stopping)
      if (count > 0) log.info({ count }, 'reputation threshold exceeded')
      return count
    },
    { everyMs: pollEveryMs, log, message: 'cannot assess reputation', random },
  )
  return { assessDue: run, ...job }
}

const assessOne = async ({ reputation, events, now }: ReputationOptions, workspace: string): Promise<number> => {
  const at = now()
  const stored = await reputation.reputation(workspace)
  const hours = await reputation.outcomes(workspace, hourOf(at) - reputationWindows['30d'])
  const assessed = assess(stored.reputation, hours, at)
  if (isSame(stored.reputation, assessed.reputation)) return 0
  if (assessed.rises.length > 0) await events.insert(assessed.rises.map((rise) => riseEvent(workspace, rise)))
  const isWritten = await reputation.writeReputation(workspace, assessed.reputation, stored.version)
  return isWritten ? assessed.rises.length : 0
}

const isSame = (one: Reputation, other: Reputation): boolean =>
  Object.keys({ ...one, ...other }).every(
    (name) => one[name]?.level === other[name]?.level && one[name]?.rises === other[name]?.rises,
  )

const riseEvent = (workspace: string, rise: Rise): NewWorkspaceEvent => {
  const { metric, window, level, number, ratePercent, limitPercent, delivered, bounced, complained } = rise
  const rate = { metric, window, rate_percent: ratePercent, limit_percent: limitPercent }
  return {
    // Without a time: the same rise, found later by another process, has the same id.
    id: derivedId('evt', 0, `reputation ${workspace} ${metric} ${window} ${number}`),
    type: level === 'critical' ? 'reputation.critical' : 'reputation.warning',
    workspace,
    mode: internalMode,
    data: { ...rate, delivered, bounced, complained },
  }
}
