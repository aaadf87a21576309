import * as settings from '@postrider/contracts/settings.ts'
import type { Lane } from '@postrider/domain/email/email.ts'
import { z } from 'zod'

/** Emails of one workspace in work at once, by default. */
export const defaultConcurrency: Record<Lane, number> = { transactional: 64, marketing: 32 }

/** Everything the dispatcher process reads from its environment. */
export const Config = z
  .object({
    ...settings.mongo,
    ...settings.kafka,
    POSTRIDER_ROUTE: settings.route.describe(settings.says.route),
    POSTRIDER_CONNECTIONS: settings.count('connections', 20).describe(settings.says.connections),
    POSTRIDER_SENDER: settings.sender.describe(settings.says.sender),
    POSTRIDER_MAX_MESSAGE_MIB: settings.mebibytes(10, 40).describe(settings.says.maxMessage),
    POSTRIDER_TRANSACTIONAL_CONCURRENCY: settings
      .count('emails', defaultConcurrency.transactional)
      .describe(
        'Transactional emails of one workspace that a dispatcher has in work at once; an eighth more is for others.',
      ),
    POSTRIDER_MARKETING_CONCURRENCY: settings
      .count('emails', defaultConcurrency.marketing)
      .describe(
        'Marketing emails of one workspace that a dispatcher has in work at once; an eighth more is for others.',
      ),
    ...settings.ops,
  })
  .superRefine(settings.wholeKafkaLogin, settings.always)

export type Config = z.output<typeof Config>
