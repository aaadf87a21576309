import { endOrphans, mayRepeat } from './decisions.ts'
import { waitingRecipients } from './due.ts'
import type { Email, StoredEmail } from './email.ts'
import { mostDeaths } from './leases.ts'

/** Whether a stored email is parked: recipients wait, and no worker gets it because too many died while they had it. */
export const isParked = ({ email, nextAt, leaseUntil, deaths }: StoredEmail): boolean =>
  nextAt === null && leaseUntil === null && deaths >= mostDeaths && waitingRecipients(email).length > 0

/** Whether a recipient that waits may already have the message: the final dot was sent, and no reply was seen. */
export const mayHaveArrived = (email: Email): boolean => mayRepeat(endOrphans(email, 0), waitingRecipients(email))
