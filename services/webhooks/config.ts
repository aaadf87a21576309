import { webhookTargets } from '@postrider/contracts/settings.ts'
import * as settings from '@postrider/kit/settings.ts'
import { z } from 'zod'

/** Environment variables of the webhooks process. */
export const Config = z
  .object({
    ...settings.grpcPort,
    ...settings.peerSecurity,
    ...settings.callerTokens.gateway,
    ...settings.mongo,
    ...settings.kafka,
    ...settings.masterSecret,
    ...settings.dns,
    ...webhookTargets,
    ...settings.recordDays,
    POSTRIDER_MAX_WEBHOOKS: settings
      .count('webhooks', 100)
      .describe('Most webhook endpoints of a workspace; above it new ones are refused.'),
    POSTRIDER_WEBHOOK_REQUESTS: settings
      .count('requests', 256)
      .describe(
        'Requests to webhook endpoints of one workspace at once, in each process; another eighth is for other workspaces.',
      ),
    ...settings.ops,
  })
  .superRefine(settings.allTlsFiles, settings.always)
  .superRefine(settings.wholeKafkaLogin, settings.always)
  .superRefine(settings.wireIdentity('POSTRIDER_WIRE_TOKEN_GATEWAY'), settings.always)

export type Config = z.output<typeof Config>
