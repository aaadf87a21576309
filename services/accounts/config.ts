import * as settings from '@postrider/kit/settings.ts'
import { z } from 'zod'

/** Environment variables of the accounts process. */
export const Config = z
  .object({
    ...settings.grpcPort,
    ...settings.peerSecurity,
    ...settings.callerTokens.gateway,
    ...settings.mongo,
    ...settings.redis,
    POSTRIDER_SIGNUP: z
      .enum(['open', 'invite', 'off'], 'must be open, invite or off')
      .default('open')
      .describe('Who may sign up. There are no invitations yet, so invite admits no one, like off.'),
    ...settings.ops,
  })
  .superRefine(settings.allTlsFiles, settings.always)
  .superRefine(settings.wireIdentity('POSTRIDER_WIRE_TOKEN_GATEWAY'), settings.always)

export type Config = z.output<typeof Config>
