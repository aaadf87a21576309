import * as backend from '@postrider/kit/backendSettings.ts'
import { webhookTargets } from '@postrider/kit/mailSettings.ts'
import * as peer from '@postrider/kit/peerSettings.ts'
import * as settings from '@postrider/kit/settings.ts'
import { z } from 'zod'

/** Environment variables of the webhooks process. */
export const Config = z
  .object({
    ...peer.grpcPort,
    ...peer.peerSecurity,
    ...peer.callerTokens.gateway,
    ...backend.mongo,
    ...backend.kafka,
    ...settings.masterSecret,
    ...settings.dns,
    ...webhookTargets,
    ...settings.recordDays,
    POSTRIDER_MAX_WEBHOOKS: settings
      .count('webhooks', 100)
      .describe('Maximum number of webhook endpoints of a workspace; above it new ones are refused.'),
    POSTRIDER_WEBHOOK_REQUESTS: settings
      .count('requests', 256)
      .describe(
        'Requests to webhook endpoints of one workspace at the same time, in each process; another eighth is for other workspaces.',
      ),
    ...settings.ops,
  })
  .superRefine(peer.allTlsFiles, settings.always)
  .superRefine(backend.wholeKafkaLogin, settings.always)
  .superRefine(peer.wireIdentity('POSTRIDER_WIRE_TOKEN_GATEWAY'), settings.always)

export type Config = z.output<typeof Config>
