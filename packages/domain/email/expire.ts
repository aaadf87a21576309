import { withEvents, withRecipients } from './changes.ts'
import type { Email } from './email.ts'

/** Fails whoever still waits when the email is out of time: a one-time code is worthless tomorrow. */
export const expire = (email: Email, at: number): Email => {
  if (email.expiresAt === null || email.expiresAt > at) return email
  const late = email.recipients.flatMap(({ nextAt }, number) => (nextAt === null ? [] : [number]))
  if (late.length === 0) return email
  const reply = 'Given up: expires_in had passed before it could be delivered.'
  const failed = withRecipients(email, late, (recipient) => ({ ...recipient, status: 'failed', reply, nextAt: null }))
  const neverTried = email.attempts.length === 0
  const drafts = late.map((recipient) => ({ type: 'email.failed' as const, recipient, reply }))
  return { ...withEvents(failed, at, drafts), owed: email.counted && neverTried ? late : email.owed }
}
