import * as settings from '@postrider/contracts/settings.ts'
import { z } from 'zod'

/** The environment variables of the quota process. */
export const Config = z
  .object({
    ...settings.grpcPort,
    ...settings.wire,
    ...settings.mongo,
    ...settings.ops,
  })
  .superRefine(settings.allWireFiles, settings.always)

export type Config = z.output<typeof Config>
