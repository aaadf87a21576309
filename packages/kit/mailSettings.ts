import { needsSmtpUtf8, normalizeDomain, parseMailbox } from '@postrider/mail/address.ts'
import { z } from 'zod'

/* Environment variables about mail that several processes read; see settings.ts. */

/** A reserved name (RFC 6761 §6.3) that belongs to no one; enough to try the product. */
export const defaultSender = 'mail@postrider.localhost'

/** The environment variable of the shared sender, for every process that shows it or sends with it. */
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
    .describe('Shared sender: From address of mail of workspaces without a verified domain.'),
}

/** The environment variable of the domain that receives bounces, for every process that shows or uses return paths. */
export const bounceDomain = {
  POSTRIDER_BOUNCE_DOMAIN: z
    .string()
    .transform((text, context) => {
      const name = normalizeDomain(text.trim())
      if (name?.includes('.')) return name
      context.addIssue('must be a domain such as bounces.example.com')
      return z.NEVER
    })
    .optional()
    .describe(
      'Domain that receives bounces and has an SPF record with the addresses that send. If it is set, sending domains get records for their own return path. Unset: their mail has the return path of the shared sender.',
    ),
}
