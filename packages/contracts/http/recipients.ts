import { type Mailbox, type MailboxResult, mailboxParser, parseMailbox } from '@postrider/mail/address.ts'
import { z } from 'zod'
import { bounded, report } from './schema.ts'

/** Maximum number of addresses of a message, after duplicates are removed. */
export const maxRecipients = 50
/** Maximum number of entries of a list of recipients, repetitions included. */
const maxEntries = 1_000
/**
 * Maximum number of different entries of a list of recipients: an international address may be written with U-labels
 * and with A-labels.
 */
const maxDifferent = 2 * maxRecipients
/** Maximum number of entries of `reply_to`. */
export const maxReplyTo = 50

export const tooManyRecipients = {
  code: 'too_many_recipients',
  message: `At most ${maxRecipients} addresses are allowed in to, cc and bcc together.`,
}

const example = 'Jane Doe <jane@example.com>'

const readEntry = (context: z.RefinementCtx, entry: string, parsed: MailboxResult, path: number[] = []) => {
  if (parsed.ok) return parsed.mailbox
  report(context, { ...parsed, path, input: entry })
  return z.NEVER
}

/** One address. Later steps get the parsed mailbox, never the text. */
export const MailboxEntry = z
  .string()
  .transform((entry, context) => readEntry(context, entry, parseMailbox(entry)))
  .meta({ minLength: 1, example })

/** Returns whether a list has more entries, or more different ones, than are parsed. */
export const isTooLong = (entries: readonly unknown[]): boolean =>
  entries.length > maxEntries || (entries.length > maxDifferent && new Set(entries).size > maxDifferent)

const boundedList = (raw: unknown, context: z.RefinementCtx): unknown => {
  if (!Array.isArray(raw) || !isTooLong(raw)) return raw
  report(context, tooManyRecipients)
  return z.NEVER
}

const readEntries = (entries: unknown[], context: z.RefinementCtx): Mailbox[] => {
  const parse = mailboxParser()
  return entries.map((entry, index) => {
    if (typeof entry === 'string') return readEntry(context, entry, parse(entry), [index])
    context.addIssue({ code: 'invalid_type', expected: 'string', path: [index], input: entry })
    return z.NEVER
  })
}

const entries = z.array(z.unknown()).meta({ items: { type: 'string', minLength: 1, example } })
const oneOrEntries = entries.meta({ type: ['string', 'array'] as never })
const inArray = (raw: unknown): unknown => (typeof raw === 'string' ? [raw] : raw)

export const Mailboxes = z.preprocess(boundedList, entries.min(1).transform(readEntries))

/** One address, several, or none: clients that always send the field send an empty list. */
export const MailboxOrMailboxes = z.preprocess(
  (raw, context) => boundedList(inArray(raw), context),
  oneOrEntries.transform(readEntries),
)

const boundedReplyTo = bounded('array', maxReplyTo, {
  code: 'too_many',
  message: `At most ${maxReplyTo} addresses are allowed in reply_to.`,
})

/** One address or several, or none. They are no recipients, so each entry counts, even if it is repeated. */
export const ReplyTo = z.preprocess(
  (raw, context) => boundedReplyTo(inArray(raw), context),
  oneOrEntries.max(maxReplyTo).transform(readEntries),
)

/** One address; a display name before it is dropped. */
export const address = MailboxEntry.transform((mailbox) => mailbox.address).meta({
  minLength: 1,
  example: 'jane@example.com',
})
