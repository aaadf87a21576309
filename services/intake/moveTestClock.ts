import type { Intake } from '@postrider/contracts/services.ts'
import { auditEntry } from '@postrider/domain/audit/entry.ts'
import {
  type ClockMove,
  isRepeated,
  maxAheadMs,
  movedClock,
  type TestClock,
} from '@postrider/domain/email/testClock.ts'
import { durationText, isoTime } from '@postrider/domain/time.ts'
import { Fault, invalid, isUnavailable } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { pause } from '@postrider/kit/pause.ts'
import { backoffs, retry } from '@postrider/kit/retry.ts'
import { retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import type { Durable } from '@postrider/ports/durable.ts'
import type { TestClockStore } from '@postrider/ports/testClocks.ts'
import { refuseSuspended } from './acceptance.ts'
import type { IntakeLimits } from './config.ts'
import { type FollowDeps, followClock, type LeftWork, leftWork, readClock } from './testClocks.ts'

export type MoveClockDeps = FollowDeps & {
  testClocks: TestClockStore
  durable: Pick<Durable, 'synced'>
  limits: Pick<IntakeLimits, 'clockWaitMs'>
}

type MoveRequest = Parameters<Intake['MoveTestClock']>[0]
type Reply = Awaited<ReturnType<Intake['MoveTestClock']>>

/**
 * Reads and moves the test clock of a workspace.
 *
 * A move is one conditional write of the clock with its audit entry. Then waiting mail and deliveries get their new
 * offset, and the response waits until nothing is due. A crash in between leaves the rest to the sweep, and so does a
 * response that took too long.
 */
export const testClockService = (deps: MoveClockDeps): Pick<Intake, 'GetTestClock' | 'MoveTestClock'> => ({
  GetTestClock: async ({ workspace }) => {
    const clock = await readClock(deps, workspace)
    return replyOf(clock, deps.now(), await checkWork(deps, clock, () => true))
  },
  MoveTestClock: async (request) => {
    refuseSuspended(request.caller)
    const { clock, at } = await move(deps, request)
    await deps.durable.synced()
    return replyOf(clock, at, await untilDone(deps, clock))
  },
})

type Left = LeftWork & { complete: boolean }

const replyOf = ({ offset }: TestClock, now: number, { emails, webhooks, complete }: Left): Reply => ({
  now: now + offset,
  ahead_ms: offset,
  due_emails: emails,
  due_webhooks: webhooks,
  complete,
})

const moveOf = ({ advance_ms: byMs, at }: MoveRequest): ClockMove =>
  at === undefined ? { byMs: byMs ?? 0 } : { to: at }

/**
 * @returns the clock after the move, and the time of the store that its response is of
 * @throws Fault `validation_failed`: backward, or too far ahead; `conflict`: too many requests move the clock at the
 * same time
 */
const move = async (deps: MoveClockDeps, request: MoveRequest): Promise<{ clock: TestClock; at: number }> => {
  const { workspace } = request.caller
  return retryOnConflict(
    async () => {
      const before = await readClock(deps, workspace)
      const now = deps.now()
      if (isRepeated(before, moveOf(request))) return { clock: before, at: now }
      const moved = movedClock(before, moveOf(request), now)
      if ('problem' in moved) throw refusalFault(request, moved.problem, now + before.offset)
      if (await deps.testClocks.move(moved.clock, entryOf(request, before, moved.clock)))
        return { clock: moved.clock, at: now }
      return undefined
    },
    {
      rounds: 'testClock',
      onBusy: () => new Fault('conflict', 'Other requests are moving the test clock of this workspace; try again.'),
    },
  )
}

const refusalFault = ({ at }: MoveRequest, code: 'in_the_past' | 'too_far_ahead', clockNow: number): Fault => {
  const path = at === undefined ? 'advance' : 'at'
  const message =
    code === 'in_the_past'
      ? `The test clock is at ${isoTime(clockNow)} and goes forward only; use a later time.`
      : `The test clock may be at most ${durationText(maxAheadMs)} ahead of the real time; move it less far.`
  return invalid({ path, code, message })
}

const entryOf = (
  { actor, client_address: clientAddress }: MoveRequest,
  before: TestClock,
  { workspace, movedAt: at, offset }: TestClock,
): AuditEntry =>
  auditEntry(
    newId('aud'),
    { actor, clientAddress, at },
    {
      workspace,
      action: 'test_clock.move',
      target: workspace,
      before: { now: isoTime(at + before.offset) },
      after: { now: isoTime(at + offset) },
    },
  )

/** Counts what is due, and moves what is behind the clock. */
const checkWork = async (deps: MoveClockDeps, clock: TestClock, isOver: () => boolean): Promise<Left> => {
  const work = await leftWork(deps, clock.workspace)
  // After the count: what was leased at the count is behind when it has written its outcome.
  const followed = await followClock(deps, clock, isOver)
  return { ...work, complete: followed === 0 && work.emails + work.webhooks === 0 }
}

/**
 * Waits until nothing is due in the test mode by the moved clock, or for `clockWaitMs`. The clock was moved, so an
 * unavailable store is no longer an error: a caller that repeated the request would move it twice.
 */
const untilDone = async (deps: MoveClockDeps, clock: TestClock): Promise<Left> => {
  const until = performance.now() + deps.limits.clockWaitMs
  const isOver = (): boolean => performance.now() >= until
  let left: Left = { emails: 0, webhooks: 0, complete: false }
  const recheck = async (): Promise<Left> => {
    try {
      left = await checkWork(deps, clock, isOver)
    } catch (thrown) {
      if (!isUnavailable(thrown)) throw thrown
    }
    return left
  }
  return retry(recheck, {
    backoff: backoffs.testClock,
    shouldRetry: (ended) => 'value' in ended && !ended.value.complete && !isOver(),
    pause,
  })
}
