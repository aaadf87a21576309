import * as settings from '@postrider/kit/settings.ts'
import { z } from 'zod'

/** Environment variables of the templates process. */
export const Config = z
  .object({
    ...settings.grpcPort,
    ...settings.peerSecurity,
    ...settings.callerTokens.gateway,
    ...settings.callerTokens.intake,
    ...settings.mongo,
    POSTRIDER_MAX_TEMPLATES: settings
      .count('templates', 1_000)
      .describe('Most templates of a workspace; above it new ones are refused.'),
    ...settings.ops,
  })
  .superRefine(settings.allTlsFiles, settings.always)
  .superRefine(settings.wireIdentity('POSTRIDER_WIRE_TOKEN_GATEWAY', 'POSTRIDER_WIRE_TOKEN_INTAKE'), settings.always)

export type Config = z.output<typeof Config>
