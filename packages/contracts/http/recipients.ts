import { parseMailbox } from '@postrider/mail/address.ts'
import { z } from 'zod'
import { report } from './schema.ts'

/** Most addresses of a message, after duplicates are removed. */
export const mostRecipients = 50
/** Most entries of a list that are read: a longer one is a mistake, and every entry costs time. */
export const mostEntries = 1_000

export const tooManyRecipients = {
  code: 'too_many_recipients',
  message: `At most ${mostRecipients} addresses are allowed in to, cc and bcc together.`,
}

/** One address. Later steps get the parsed mailbox, never the text. */
export const Mailbox = z
  .string()
  .transform((entry, context) => {
    const parsed = parseMailbox(entry)
    if (parsed.ok) return parsed.mailbox
    report(context, { ...parsed, input: entry })
    return z.NEVER
  })
  .meta({ minLength: 1, example: 'Jane Doe <jane@example.com>' })

const boundedList = (raw: unknown, context: z.RefinementCtx): unknown => {
  if (!Array.isArray(raw) || raw.length <= mostEntries) return raw
  report(context, tooManyRecipients)
  return z.NEVER
}

export const Mailboxes = z.preprocess(boundedList, z.array(Mailbox).min(1))

/** One address, several, or none: clients that always send the field send an empty list. */
export const MailboxOrMailboxes = z.preprocess(
  (raw, context) => boundedList(typeof raw === 'string' ? [raw] : raw, context),
  z.array(Mailbox).meta({ type: ['string', 'array'] as never }),
)

/** One address; a display name before it is dropped. */
export const address = Mailbox.transform((mailbox) => mailbox.address).meta({
  minLength: 1,
  example: 'jane@example.com',
})
