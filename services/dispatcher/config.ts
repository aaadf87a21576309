import type { Lane } from '@postrider/domain/email/email.ts'
import * as backend from '@postrider/kit/backendSettings.ts'
import { sender } from '@postrider/kit/mailSettings.ts'
import * as settings from '@postrider/kit/settings.ts'
import { parseMailRoute } from '@postrider/mail/mailRoute.ts'
import { z } from 'zod'

/** Emails of one workspace in flight at the same time, by default. */
export const defaultConcurrency: Record<Lane, number> = { transactional: 64, marketing: 32 }

const routeExample = `for example smtp://user:password@smtp.example.com:587?tls=required; ${backend.loginEncoding}`

/** An error of the route never repeats the text, which may contain a password. */
const mailRoute = z
  .string()
  .default('mailbox:')
  .transform((text, context) => {
    const parsed = parseMailRoute(text)
    if ('route' in parsed) return parsed.route
    context.addIssue(`${parsed.fault}; ${routeExample}`)
    return z.NEVER
  })

/** Environment variables of the dispatcher process. */
export const Config = z
  .object({
    ...backend.mongo,
    ...backend.kafka,
    POSTRIDER_ROUTE: mailRoute.describe(
      'Where mail leaves: mailbox: (stored and shown at /mailbox), smtp://[user:pass@]host:port[?tls=required] or smtps://…. Credentials are only sent over TLS with a verified certificate, or to this machine; ?tls=unverified accepts any certificate.',
    ),
    POSTRIDER_CONNECTIONS: settings
      .count('connections', 20)
      .describe('Maximum number of open connections to the relay, per lane and process.'),
    ...sender,
    POSTRIDER_SECRET: settings.masterSecret.POSTRIDER_SECRET.optional().describe(
      'Master key that decrypts the DKIM keys, the same as in the domains process. While it is changed: the new one and the old one, separated by a comma. Unset: mail of sending domains waits.',
    ),
    ...settings.maxMessage,
    POSTRIDER_MESSAGE_MEMORY_MIB: settings
      .mebibytes(64, 4_096)
      .describe(
        'MiB of finished messages in memory at the same time, at least POSTRIDER_MAX_MESSAGE_MIB: five eighths for transactional mail, the rest for marketing. The chart derives it from the memory limit.',
      ),
    POSTRIDER_TRANSACTIONAL_CONCURRENCY: settings
      .count('emails', defaultConcurrency.transactional)
      .describe(
        'Transactional emails of one workspace that a dispatcher delivers at the same time; another eighth is reserved for other workspaces.',
      ),
    POSTRIDER_MARKETING_CONCURRENCY: settings
      .count('emails', defaultConcurrency.marketing)
      .describe(
        'Marketing emails of one workspace that a dispatcher delivers at the same time; another eighth is reserved for other workspaces.',
      ),
    ...settings.ops,
  })
  .superRefine(backend.wholeKafkaLogin, settings.always)
  .superRefine(settings.fitsLargest('POSTRIDER_MESSAGE_MEMORY_MIB', 'POSTRIDER_MAX_MESSAGE_MIB'), settings.always)

export type Config = z.output<typeof Config>
