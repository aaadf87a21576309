import type { Problem } from '../problem.ts'
import { durationText, isoTime } from '../time.ts'
import type { Email } from './email.ts'

/** Send time of a message: a time in milliseconds since the epoch, or a number of milliseconds after its acceptance. */
export type SendTime = { at: number } | { inMs: number }

/** Maximum distance of a send time before and after the time of acceptance. */
type SendTimeLimits = { schedulePastMs: number; scheduleAheadMs: number }

/** Returns when the message is to leave; null: immediately. @param at time of acceptance */
export const wantedAt = (time: SendTime | null, at: number): number | null => {
  if (time === null) return null
  return 'at' in time ? time.at : at + time.inMs
}

/** Returns when a message that waits for its time is to leave; null: immediately. @param at time of acceptance */
export const scheduledTime = (time: SendTime | null, at: number): number | null => {
  const wanted = wantedAt(time, at)
  return wanted === null || wanted <= at ? null : wanted
}

type RequestedTime = {
  sendAt: SendTime | null
  /** Time of acceptance, by the store's clock. */
  at: number
  /** The test clock of the mail, which the send time refers to. */
  clock?: Email['clock'] | undefined
  limits: SendTimeLimits
}

/** Returns what is wrong with a send time. */
export const sendTimeProblems = ({ sendAt, at: storeAt, clock, limits }: RequestedTime): Problem[] => {
  const at = storeAt + (clock?.offset ?? 0)
  const wanted = wantedAt(sendAt, at)
  if (wanted === null) return []
  const path = 'scheduled_at'
  if (wanted < at - limits.schedulePastMs) {
    const which = clock === undefined ? 'in the past' : `before the test clock, which is at ${isoTime(at)}`
    const message = `This time is ${which}; use a later one, or PT0S to send immediately.`
    return [{ path, code: 'in_the_past', message }]
  }
  if (wanted <= at + limits.scheduleAheadMs) return []
  const most = durationText(limits.scheduleAheadMs)
  const ofClock = clock === undefined ? '' : ` of the test clock, which is at ${isoTime(at)}`
  return [{ path, code: 'too_far_ahead', message: `This is more than ${most} ahead${ofClock}; use an earlier time.` }]
}
