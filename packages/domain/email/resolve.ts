import { withEvents, withRecipients } from './changes.ts'
import type { Email, Recipient } from './email.ts'

/** What a person decides about recipients in doubt. */
const outcomes = {
  delivered: { type: 'email.delivered', status: 'delivered', reply: 'Resolved by a person: delivered.' },
  failed: { type: 'email.failed', status: 'failed', reply: 'Resolved by a person: failed.' },
  retry: { type: 'email.deferred', status: 'deferred', reply: 'Resolved by a person: sent again.' },
} as const

export type Decision = keyof typeof outcomes

export const isDecision = (text: string): text is Decision => Object.hasOwn(outcomes, text)

/**
 * Applies a person's decision to every recipient whose final dot was sent and whose reply never came.
 * @returns null: no recipient is in doubt
 */
export const resolveDoubt = (email: Email, decision: Decision, at: number): Email | null => {
  const doubtful = email.recipients.flatMap(({ status }, number) => (status === 'unknown' ? [number] : []))
  if (doubtful.length === 0) return null
  const { type, status, reply } = outcomes[decision]
  const nextAt = decision === 'retry' ? at : null
  const change = (recipient: Recipient): Recipient => ({ ...recipient, status, reply, nextAt })
  const drafts = doubtful.map((recipient) => ({ type, recipient, reply }))
  return withEvents(withRecipients(email, doubtful, change), at, drafts)
}
