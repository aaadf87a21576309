import * as settings from '@postrider/contracts/settings.ts'
import { z } from 'zod'

/** Everything the intake process reads from its environment. */
export const Config = z
  .object({
    ...settings.grpcPort,
    ...settings.wire,
    ...settings.peers.templates,
    ...settings.peers.quota,
    ...settings.mongo,
    ...settings.kafka,
    POSTRIDER_SENDER: settings.sender.describe(settings.says.sender),
    POSTRIDER_MAX_QUEUED: settings.count('emails', 1_000_000).describe(settings.says.maxQueued),
    POSTRIDER_MAX_MESSAGE_MIB: settings.mebibytes(10, 40).describe(settings.says.maxMessage),
    POSTRIDER_IDEMPOTENCY_HOURS: settings.hours(24, 720).describe(settings.says.idempotency),
    ...settings.ops,
  })
  .superRefine(settings.allWireFiles, settings.always)
  .superRefine(settings.wholeKafkaLogin, settings.always)

export type Config = z.output<typeof Config>
