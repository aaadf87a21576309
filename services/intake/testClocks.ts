import { setImmediate as nextIteration } from 'node:timers/promises'
import type { SubmitRequest } from '@postrider/contracts/services.ts'
import { dueOf, nextDueOf } from '@postrider/domain/email/due.ts'
import type { Email, StoredEmail } from '@postrider/domain/email/email.ts'
import { following, nextCheckAt, offsetsOn, type TestClock, unmovedClock } from '@postrider/domain/email/testClock.ts'
import { clockHint, followingDelivery } from '@postrider/domain/webhooks/testClock.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { Doorbell } from '@postrider/ports/doorbell.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { EventHints } from '@postrider/ports/eventHints.ts'
import type { TestClockStore } from '@postrider/ports/testClocks.ts'
import type { WebhookDeliveryStore } from '@postrider/ports/webhookDeliveries.ts'
import type { WebhookEndpointStore } from '@postrider/ports/webhookEndpoints.ts'

export type ReadClockDeps = { testClocks: Pick<TestClockStore, 'get'> }

export const readClock = async ({ testClocks }: ReadClockDeps, workspace: string): Promise<TestClock> =>
  (await testClocks.get(workspace)) ?? unmovedClock(workspace)

type MailCaller = Pick<SubmitRequest['caller'], 'workspace' | 'mode'>

/** Returns the clock offset of new mail of a caller. Live mail has none, and costs no read. */
export const clockOffsetsOf = async (
  deps: ReadClockDeps,
  { workspace, mode }: MailCaller,
): Promise<Pick<Email, 'clock'>> => {
  if (mode !== 'test') return {}
  const clock = offsetsOn(await readClock(deps, workspace))
  return clock === undefined ? {} : { clock }
}

/** Returns when a request is accepted, by the clock that its mail follows. */
export const timeOf = ({ at, clock }: { at: number; clock?: Email['clock'] }): number => at + (clock?.offset ?? 0)

export type FollowDeps = ReadClockDeps & {
  emails: Pick<EmailStore, 'behindClock' | 'dueTestMail' | 'change'>
  webhooks: {
    endpoints: Pick<WebhookEndpointStore, 'enabledOf'>
    deliveries: Pick<WebhookDeliveryStore, 'behindClock' | 'follow' | 'dueTests'>
  }
  doorbell: Pick<Doorbell, 'ring'>
  hints: Pick<EventHints, 'ring'>
  now: Clock
}

/** Emails and deliveries of one step. */
const stepSize = 100

/** Sets the clock offset of an email, unless another writer has it. */
const follow = async (
  { emails, now }: Pick<FollowDeps, 'now'> & { emails: Pick<EmailStore, 'change'> },
  { email: before, fence }: StoredEmail,
  offset: number,
): Promise<Email | null> => {
  const email = following(before, offset)
  return (await emails.change(email.id, fence, now(), { email, nextAt: nextDueOf(email) })) ? email : null
}

type AcceptedDeps = ReadClockDeps & Pick<FollowDeps, 'now'> & { emails: Pick<EmailStore, 'get' | 'change'> }

/**
 * Sets the offset of the mail of one request again if its clock was moved in between. Live mail costs no read. A
 * failure is left to the sweep.
 */
export const followAccepted = async (deps: AcceptedDeps, accepted: readonly Email[]): Promise<void> => {
  const [first] = accepted
  if (first?.mode !== 'test') return
  try {
    const { offset } = await readClock(deps, first.workspace)
    for (const { id, clock } of accepted) {
      if (offset === (clock?.offset ?? 0)) continue
      const stored = await deps.emails.get(id)
      if (stored && stored.nextAt !== null) await follow(deps, stored, offset)
    }
  } catch {
    // The mail is accepted, and the sweep checks for mail behind a clock that was moved recently.
  }
}

/**
 * Sets the clock offset of waiting mail and deliveries of a workspace's test mode, each by one conditional update, and
 * announces what became due. It can be repeated and run concurrently with another. What is leased follows when the
 * worker has written its outcome.
 * @param isOver whether to stop before the end
 * @returns how many there were; null: it stopped before the end
 */
export const followClock = async (
  deps: FollowDeps,
  { workspace, offset }: TestClock,
  isOver: () => boolean = () => false,
): Promise<number | null> => {
  const mail = await eachStep(isOver, async () => {
    const behind = await deps.emails.behindClock({ workspace, offset, now: deps.now(), limit: stepSize })
    const followed = await Promise.all(behind.map((stored) => follow(deps, stored, offset)))
    const due = followed.filter((email) => email !== null).filter((email) => isDue(email, deps.now()))
    for (const [lane, ofLane] of Map.groupBy(due, ({ category }) => category))
      deps.doorbell.ring(lane, ofLane.map(dueOf))
    return behind.length
  })
  const endpoints = await testEndpoints(deps, workspace)
  const webhooks = await eachStep(isOver, async () => {
    if (endpoints.length === 0) return 0
    const now = deps.now()
    const { deliveries } = deps.webhooks
    const behind = await deliveries.behindClock({ endpoints, offset, now, limit: stepSize })
    await Promise.all(
      behind.map(({ delivery, fence }) =>
        deliveries.follow(delivery.id, fence, followingDelivery(delivery, offset), now),
      ),
    )
    return behind.length
  })
  return mail === null || webhooks === null ? null : mail + webhooks
}

const isDue = (email: Email, now: number): boolean => (nextDueOf(email) ?? Infinity) <= now

/** Repeats a step until it finds nothing more. @returns how many it found; null: it was stopped before */
const eachStep = async (isOver: () => boolean, step: () => Promise<number>): Promise<number | null> => {
  for (let all = 0; ; ) {
    const found = await step()
    if (found === 0) return all
    if (isOver()) return null
    all += found
    await nextIteration()
  }
}

const testEndpoints = async ({ webhooks }: Pick<FollowDeps, 'webhooks'>, workspace: string): Promise<string[]> =>
  (await webhooks.endpoints.enabledOf(workspace)).filter(({ mode }) => mode !== 'live').map(({ id }) => id)

/** Maximum number of emails and of deliveries that a response counts. */
const maxCounted = 10_000

/** Work of the test mode of a workspace that is due or in flight. */
export type LeftWork = { emails: number; webhooks: number }

/** Counts what is due, and announces deliveries, because their sender polls only every few seconds. */
export const leftWork = async (deps: FollowDeps, workspace: string): Promise<LeftWork> => {
  const now = deps.now()
  const endpoints = await testEndpoints(deps, workspace)
  const [emails, webhooks] = await Promise.all([
    deps.emails.dueTestMail({ workspace, now, max: maxCounted }),
    endpoints.length === 0 ? 0 : deps.webhooks.deliveries.dueTests({ endpoints, now, max: maxCounted }),
  ])
  if (webhooks > 0) deps.hints.ring([{ workspace, id: clockHint }])
  return { emails, webhooks }
}

/** Clocks of one round of the sweep, and the time after which the rest is left to the next round. */
const [maxClocks, maxFollowMs] = [100, 2_000]

/**
 * A chore of the sweep: completes moves that a crash interrupted, and what was stored with the offset before the move.
 */
export const followClocks = async (
  deps: FollowDeps & { testClocks: Pick<TestClockStore, 'toFollow' | 'followed'> },
  at: number,
): Promise<void> => {
  const until = deps.now() + maxFollowMs
  const isOver = (): boolean => deps.now() >= until
  for (const clock of await deps.testClocks.toFollow(at, maxClocks)) {
    if (isOver()) return
    const found = (await followClock(deps, clock, isOver)) ?? 1
    await deps.testClocks.followed(clock, nextCheckAt(clock, { now: deps.now(), found }))
  }
}
