import { needsSmtpUtf8, parseMailbox } from '@postrider/mail/address.ts'
import { z } from 'zod'

/** A reserved name (RFC 6761 §6.3) that belongs to no one; enough to try the product. */
export const defaultSender = 'mail@postrider.localhost'

/** The environment variable of the platform sender, for every process that shows it or sends with it. */
export const sender = {
  POSTRIDER_SENDER: z
    .string()
    .default(`Postrider <${defaultSender}>`)
    .transform((text, context) => {
      const parsed = parseMailbox(text)
      // Mail from such a sender needs SMTPUTF8 on the whole way to every recipient.
      const problem = parsed.ok && needsSmtpUtf8(parsed.mailbox.address) ? 'use ASCII before the “@”.' : ''
      if (parsed.ok && problem === '') return parsed.mailbox
      context.addIssue(`must be an address such as "Mail <mail@example.com>": ${parsed.ok ? problem : parsed.message}`)
      return z.NEVER
    })
    .describe('Platform sender: From address of mail of workspaces without a verified domain.'),
}
