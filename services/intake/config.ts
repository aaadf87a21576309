import { sender } from '@postrider/contracts/settings.ts'
import * as settings from '@postrider/kit/settings.ts'
import { z } from 'zod'

/** Environment variables of the intake process. */
export const Config = z
  .object({
    ...settings.grpcPort,
    ...settings.peerSecurity,
    ...settings.peers.templates,
    ...settings.peers.quota,
    ...settings.mongo,
    ...settings.kafka,
    ...sender,
    POSTRIDER_MAX_QUEUED: settings
      .count('emails', 1_000_000)
      .describe('Most emails that may wait for delivery; above it sends are answered with 503.'),
    ...settings.maxMessage,
    POSTRIDER_IDEMPOTENCY_HOURS: settings
      .hours(24, 720)
      .describe('Hours that an Idempotency-Key is stored after the request or the scheduled time, 1 to 720.'),
    ...settings.ops,
  })
  .superRefine(settings.allTlsFiles, settings.always)
  .superRefine(settings.wholeKafkaLogin, settings.always)

export type Config = z.output<typeof Config>
