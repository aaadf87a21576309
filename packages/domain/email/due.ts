import type { Email, Recipient } from './email.ts'

/** The content of a due notification: the ids and the trace of an email. */
export type Due = {
  id: string
  workspace: string
  /** Trace of the request that sent the email (W3C Trace Context §3.2); absent when it is not traced. */
  traceparent?: string
}

/** Returns the content of the due notification of an email. */
export const dueOf = ({ id, workspace, traceparent }: Email): Due =>
  traceparent === undefined ? { id, workspace } : { id, workspace, traceparent }

/**
 * Returns when an email is due by the store's clock: the earliest time of its recipients, or null when no recipient
 * waits.
 */
export const nextDueOf = (email: Email): number | null => {
  const due = firstDueOf(email)
  return due === null || email.clock === undefined ? due : due - email.clock.offset
}

/** Returns when an email is due by its own clock, or null when no recipient waits. */
export const firstDueOf = (email: Pick<Email, 'recipients'>): number | null =>
  email.recipients.reduce<number | null>(
    (earliest, { nextAt }) => (nextAt === null ? earliest : Math.min(nextAt, earliest ?? nextAt)),
    null,
  )

/** Returns the numbers of the recipients that still wait, due or not. */
export const waitingRecipients = ({ recipients }: Email): number[] => numbersOf(recipients, (nextAt) => nextAt !== null)

/** Returns the numbers of the recipients that are due at `at`. */
export const dueRecipients = ({ recipients }: Email, at: number): number[] =>
  numbersOf(recipients, (nextAt) => nextAt !== null && nextAt <= at)

const numbersOf = (recipients: readonly Recipient[], includes: (nextAt: number | null) => boolean): number[] =>
  recipients.flatMap(({ nextAt }, number) => (includes(nextAt) ? [number] : []))
