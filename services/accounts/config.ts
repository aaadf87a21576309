import * as settings from '@postrider/contracts/settings.ts'
import { z } from 'zod'

/** Environment variables of the accounts process. */
export const Config = z
  .object({
    ...settings.grpcPort,
    ...settings.wire,
    ...settings.mongo,
    ...settings.redis,
    POSTRIDER_SIGNUP: settings.signup.describe(settings.says.signup),
    ...settings.ops,
  })
  .superRefine(settings.allWireFiles, settings.always)

export type Config = z.output<typeof Config>
