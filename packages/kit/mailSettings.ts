import { listParts, parseNetwork } from '@postrider/domain/network.ts'
import { defaultWebhookPorts } from '@postrider/domain/webhooks/url.ts'
import { needsSmtpUtf8, normalizeDomain, parseMailbox } from '@postrider/mail/address.ts'
import { z } from 'zod'

/* Environment variables about mail and webhooks that several processes read; see settings.ts. */

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
      'Domain that receives bounces and has an SPF record with the addresses that send. With it customers are shown the records of an own return path. Unset: their mail has the return path of the shared sender.',
    ),
}

/** Addresses or CIDRs, comma-separated. */
export const networks = z
  .string()
  .default('')
  .transform((text, context) => {
    const wrong = listParts(text).findIndex((part) => parseNetwork(part) === null)
    if (wrong !== -1)
      context.addIssue(
        `must be addresses or CIDRs, comma-separated, such as 10.0.0.0/8,192.0.2.7; number ${wrong + 1} is neither`,
      )
    return listParts(text)
  })

const maxPort = 65_535

/** Port numbers, comma-separated; unset: that of HTTPS. */
const webhookPorts = z
  .string()
  .default(defaultWebhookPorts.join(','))
  .transform((text, context) => {
    const ports = listParts(text).map((part) => (/^\d{1,5}$/.test(part) ? Number(part) : 0))
    if (ports.length > 0 && ports.every((port) => port > 0 && port <= maxPort)) return ports
    context.addIssue(`must be port numbers of 1 to ${maxPort}, comma-separated, such as 443,8443`)
    return z.NEVER
  })

/** Settings that define where webhooks may go, for every process that checks a URL or posts to one. */
export const webhookTargets = {
  POSTRIDER_WEBHOOK_ALLOW: networks.describe(
    'Addresses or CIDRs that webhooks may reach although they are not public, comma-separated. Plain http and every port of HTTP are allowed only there. Every customer who may add a webhook reaches what listens there, docs/operations/webhooks.md.',
  ),
  POSTRIDER_WEBHOOK_PORTS: webhookPorts.describe('Ports that webhooks may use at public addresses, comma-separated.'),
}
