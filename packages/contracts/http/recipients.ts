import { addressKey, parseMailbox } from '@postrider/mail/address.ts'
import { z } from 'zod'
import { report } from './closed.ts'

/** Most addresses a message may go to, after duplicates are removed. */
export const mostRecipients = 50
/** Longer lists aren't looked into: nobody means them, and every entry costs time. */
const mostEntries = 1_000

const overLimit = {
  code: 'too_many_recipients',
  message: `A message goes to at most ${mostRecipients} addresses in to, cc and bcc together.`,
}

/** One address: our own grammar reads it, and what it read is passed on, never the text. */
export const Mailbox = z
  .string()
  .transform((entry, context) => {
    const parsed = parseMailbox(entry)
    if (parsed.ok) return parsed.mailbox
    report(context, { ...parsed, input: entry })
    return z.NEVER
  })
  .meta({ example: 'Jane Doe <jane@example.com>' })

const boundedList = (raw: unknown, context: z.RefinementCtx): unknown => {
  if (!Array.isArray(raw) || raw.length <= mostEntries) return raw
  report(context, overLimit)
  return z.NEVER
}

export const Mailboxes = z.preprocess(boundedList, z.array(Mailbox).min(1))

/** One address, or several, or none: clients that always send the field send an empty list. A single one is read as a
 * list of one. */
export const MailboxOrMailboxes = z.preprocess(
  (raw, context) => boundedList(typeof raw === 'string' ? [raw] : raw, context),
  z.array(Mailbox).meta({ type: ['string', 'array'] as never }),
)

const entriesOf = (list: unknown): string[] => {
  const entries = typeof list === 'string' ? [list] : Array.isArray(list) ? list : []
  return entries.length > mostEntries ? [] : entries.filter((entry) => typeof entry === 'string')
}

const keyOf = (entry: string): string => {
  const parsed = parseMailbox(entry)
  return parsed.ok ? addressKey(parsed.mailbox.address) : entry
}

/** Whether more different addresses are named than a message may go to. Lists too long to read were refused before. */
export const recipientProblems = (raw: Record<string, unknown>) => {
  const entries = [raw['to'], raw['cc'], raw['bcc']].flatMap(entriesOf)
  if (entries.length <= mostRecipients || new Set(entries.map(keyOf)).size <= mostRecipients) return []
  return [{ path: 'to', ...overLimit }]
}
