import type { Email } from './email.ts'

/** An email that is due, as far as a hint tells: never anything of what is in it. */
export type Due = {
  id: string
  workspace: string
  /** Trace of the request that sent it (W3C Trace Context §3.2); absent: it isn't traced. */
  traceparent?: string
}

/** What a ring tells of an email. */
export const dueOf = ({ id, workspace, traceparent }: Email): Due =>
  traceparent === undefined ? { id, workspace } : { id, workspace, traceparent }

/** When an email is due: the earliest of its recipients that are; null when nobody waits any more. */
export const nextDueOf = (email: Email): number | null =>
  email.recipients.reduce<number | null>(
    (earliest, { nextAt }) => (nextAt === null ? earliest : Math.min(nextAt, earliest ?? nextAt)),
    null,
  )
