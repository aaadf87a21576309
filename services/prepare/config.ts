import * as settings from '@postrider/kit/settings.ts'
import { z } from 'zod'

/** Environment variables of the prepare process. */
export const Config = z
  .object({
    ...settings.mongo,
    ...settings.kafka,
    LOG_LEVEL: settings.logLevel,
  })
  .superRefine(settings.wholeKafkaLogin, settings.always)

export type Config = z.output<typeof Config>
