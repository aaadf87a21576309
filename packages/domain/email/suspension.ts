import { endOrphans, expire } from './decisions.ts'
import { nextDueOf } from './due.ts'
import type { Email } from './email.ts'

/** Mail that was set aside is looked at again after this time, in case its resumption was missed. */
const lookAgainMs = 24 * 3_600_000

/** `ended`: no recipient waits any more. `waits`: it is set aside until then. */
export type SuspendedMail = { kind: 'ended'; email: Email } | { kind: 'waits'; until: number }

/**
 * Decides what becomes of due mail of a suspended workspace: it waits until the workspace is resumed, and fails at
 * `expiresAt`, as it would if its server were unavailable.
 */
export const suspendedMail = (email: Email, at: number): SuspendedMail => {
  const after = expire(endOrphans(email, at), at)
  if (nextDueOf(after) === null) return { kind: 'ended', email: after }
  return { kind: 'waits', until: Math.min(email.expiresAt ?? Infinity, at + lookAgainMs) }
}
