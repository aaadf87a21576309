import { addressKey } from '@postrider/mail/address.ts'
import { platformWorkspace } from '../domains/domain.ts'
import { type Email, type Mode, type RecipientKind, recipientKinds } from './email.ts'

/*
 * What counts against the quota: one send for each recipient of live mail that was not suppressed at acceptance. Each
 * address of a message is one recipient, however often the message names it.
 *
 * Which sends are released is decided where recipients end, in decisions.ts: those that fail before the first attempt,
 * and those that are canceled. `withRefund` records them in `Email.owed`; `refund` of services/intake/sends.ts releases
 * them, and the sweep (services/intake/sweep.ts) releases those that a crash left.
 */

/** Returns whether mail uses quota. Test mail and system mail itself use none. */
export const usesQuota = ({ mode, workspace }: { mode: Mode; workspace: string }): boolean =>
  mode === 'live' && workspace !== platformWorkspace

/** Returns the first entry of each address of a message, with its list and its index there. */
export const uniqueRecipients = <Entry extends { address: string }>(
  mail: Readonly<Record<RecipientKind, readonly Entry[]>>,
): { kind: RecipientKind; index: number; entry: Entry }[] => {
  const seen = new Set<string>()
  return recipientKinds.flatMap((kind) =>
    mail[kind].flatMap((entry, index) => {
      const key = addressKey(entry.address)
      if (seen.has(key)) return []
      seen.add(key)
      return [{ kind, index, entry }]
    }),
  )
}

/** Returns how many sends an email was accepted for. */
export const sendsOf = ({ events, recipients, counted }: Email): number => {
  const acceptedAt = events[0]?.at
  const suppressed = events.filter((event) => event.type === 'email.suppressed' && event.at === acceptedAt).length
  return counted ? recipients.length - suppressed : 0
}

/** Returns whether sends of the email are to be returned to the ledger. */
export const owesSends = ({ owed }: Pick<Email, 'owed'>): boolean => owed.length > 0

/**
 * Records that the sends of these recipients are to be returned to the ledger. Mail that is not counted has no sends to
 * release.
 */
export const withRefund = (email: Email, numbers: readonly number[]): Email =>
  email.counted ? { ...email, owed: [...new Set([...email.owed, ...numbers])] } : email
