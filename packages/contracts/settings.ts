import { parseMailbox } from '@postrider/mail/address.ts'
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
      if (parsed.ok) return parsed.mailbox
      context.addIssue(`must be an address such as "Mail <mail@example.com>": ${parsed.message}`)
      return z.NEVER
    })
    .describe('Platform sender: From address of mail of workspaces without a verified domain.'),
}
