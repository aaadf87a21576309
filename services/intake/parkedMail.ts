import type { ParkedRequest__Output as ParkedRequest } from '@postrider/contracts/gen/postrider/intake/v1/ParkedRequest.ts'
import type { Intake, ParkedEmail, Quota } from '@postrider/contracts/services.ts'
import type { AuditAction } from '@postrider/domain/audit/actions.ts'
import { afterChange, type EmailChange } from '@postrider/domain/email/changes.ts'
import { dropped, isParked, mayHaveArrived } from '@postrider/domain/email/decisions.ts'
import { dueOf, nextDueOf, waitingRecipients } from '@postrider/domain/email/due.ts'
import type { Email, StoredEmail } from '@postrider/domain/email/email.ts'
import { statusAt } from '@postrider/domain/email/status.ts'
import { acceptedAt, emailTime } from '@postrider/domain/email/testClock.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import { domainOf } from '@postrider/mail/address.ts'
import type { Doorbell } from '@postrider/ports/doorbell.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { emailEntry } from './emailEntry.ts'
import { refund } from './sends.ts'

type ParkedDeps = {
  emails: Pick<EmailStore, 'get' | 'change' | 'parked'>
  doorbell: Pick<Doorbell, 'ring'>
  quota: Pick<Quota, 'Release'>
  now: Clock
}

const actor = 'operator'

const notParkedFault = () =>
  new Fault('conflict', 'The email is not parked; GET /api/v1/operator/parked lists the mail that is.')

/** Returns the methods by which the operator decides about mail whose workers stopped too often. */
export const parkedMail = (deps: ParkedDeps): Pick<Intake, 'ListParked' | 'ReleaseParked' | 'DropParked'> => {
  const { emails, doorbell, now } = deps

  /** Changes parked mail by one conditional update that increments the fencing token. */
  const decide = async (
    { id, operator, client_address: clientAddress }: ParkedRequest,
    action: AuditAction & `email.${string}`,
    decision: (email: Email) => Omit<EmailChange, 'nextAt'>,
  ): Promise<StoredEmail> => {
    return retryOnConflict(
      async () => {
        const stored = await emails.get(id)
        if (stored === null) throw new Fault('not_found', 'There is no email with this id.')
        if (!isParked(stored)) throw notParkedFault()
        const decided = decision(stored.email)
        const change = { ...decided, nextAt: nextDueOf(decided.email) }
        const after = afterChange(stored, change)
        const { workspace } = stored.email
        const by = { actor, clientAddress, ...(operator !== undefined && { operator }) }
        const reader = { workspace, ...by }
        const audit = emailEntry({ reader }, action, { before: stored, after }, now())
        if (await emails.change(id, stored.fence, now(), change, audit)) return after
        return undefined
      },
      { rounds: 'forwardState', onBusy: notParkedFault },
    )
  }

  return {
    ListParked: async ({ limit, before }) => {
      // One more than the page shows whether another page follows.
      const found = await emails.parked({ before, limit: limit + 1 })
      const shown = found.slice(0, limit)
      const last = shown.at(-1)
      return {
        emails: shown.map(({ stored, parkedAt }) => shownEmail(stored, parkedAt, now())),
        position: last ? { at: last.parkedAt, id: last.stored.email.id } : null,
        hasMore: found.length > limit,
      }
    },

    // The record does not change: the next claim ends the attempts of dead workers, and an expired email.
    ReleaseParked: async (request) => {
      const after = await decide(request, 'email.release', (email) => ({ email, resetsDeaths: true }))
      doorbell.ring(after.email.category, [dueOf(after.email)])
      return shownEmail(after, null, now())
    },

    DropParked: async (request) => {
      const after = await decide(request, 'email.drop', (email) => ({
        email: dropped(email, emailTime(email, now()), actor),
      }))
      await refund(deps, after)
      return shownEmail(after, null, now())
    },
  }
}

/** @param parkedAt null: it is not parked any more */
const shownEmail = (stored: StoredEmail, parkedAt: number | null, now: number): ParkedEmail => {
  const { email } = stored
  const waiting = waitingRecipients(email).flatMap((number) => email.recipients[number] ?? [])
  const lastAttempt = email.attempts.at(-1)
  return {
    id: email.id,
    workspace: email.workspace,
    mode: email.mode,
    category: email.category,
    status: statusAt(stored, now),
    created_at: acceptedAt(email),
    parked_at: parkedAt,
    on_unknown: email.onUnknown,
    attempts: email.attempts.length,
    last_attempt_at: lastAttempt?.at ?? null,
    may_have_arrived: mayHaveArrived(email),
    recipients: waiting.length,
    domains: [...new Set(waiting.map(({ address }) => domainOf(address).toLowerCase()))].sort(),
  }
}
