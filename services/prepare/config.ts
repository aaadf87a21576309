import * as settings from '@postrider/contracts/settings.ts'
import { z } from 'zod'

/** Everything the preparation reads from its environment. */
export const Config = z
  .object({
    ...settings.mongo,
    ...settings.kafka,
    LOG_LEVEL: settings.logLevel,
  })
  .superRefine(settings.wholeKafkaLogin, settings.always)

export type Config = z.output<typeof Config>
