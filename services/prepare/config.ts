import * as backend from '@postrider/kit/backendSettings.ts'
import * as settings from '@postrider/kit/settings.ts'
import { z } from 'zod'

/** Environment variables of the prepare process. */
export const Config = z
  .object({
    ...backend.mongo,
    ...backend.kafka,
    LOG_LEVEL: settings.logLevel,
  })
  .superRefine(backend.wholeKafkaLogin, settings.always)

export type Config = z.output<typeof Config>
