import { dayMs } from '../time.ts'
import { endOrphans, expire } from './decisions.ts'
import { nextDueOf } from './due.ts'
import type { Email } from './email.ts'
import { deliveryTime } from './testClock.ts'

/** Mail that was set aside is looked at again after this time, in case its resumption was missed. */
const lookAgainMs = dayMs

/** `ended`: no recipient waits any more. `waits`: it is set aside until then. */
export type SuspendedMail = { kind: 'ended'; email: Email } | { kind: 'waits'; until: number }

/**
 * Decides what becomes of due mail of a suspended workspace: it waits until the workspace is resumed, and fails at
 * `expiresAt`, as it would if its server were unavailable.
 * @param now by the store's clock, as `until`
 */
export const suspendedMail = (email: Email, now: number): SuspendedMail => {
  const at = deliveryTime(email, now)
  const after = expire(endOrphans(email, at), at)
  if (nextDueOf(after) === null) return { kind: 'ended', email: after }
  const expiresAt = (email.expiresAt ?? Infinity) - (email.clock?.offset ?? 0)
  return { kind: 'waits', until: Math.min(expiresAt, now + lookAgainMs) }
}
