import type { Due } from './doorbell.ts'
import type { Email } from './emails.ts'

/** What a ring tells of an email. */
export const dueOf = ({ id, workspace, traceparent }: Email): Due =>
  traceparent === undefined ? { id, workspace } : { id, workspace, traceparent }
