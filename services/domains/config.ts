import * as backend from '@postrider/kit/backendSettings.ts'
import { bounceDomain, sender } from '@postrider/kit/mailSettings.ts'
import * as peer from '@postrider/kit/peerSettings.ts'
import * as settings from '@postrider/kit/settings.ts'
import { z } from 'zod'

/** Environment variables of the domains process. */
export const Config = z
  .object({
    ...peer.grpcPort,
    ...peer.peerSecurity,
    ...peer.callerTokens.gateway,
    ...backend.mongo,
    ...settings.dns,
    ...settings.masterSecret,
    ...sender,
    ...bounceDomain,
    POSTRIDER_MAX_DOMAINS: settings
      .count('domains', 100)
      .describe('Maximum number of sending domains of a workspace; above it new ones are refused.'),
    POSTRIDER_DKIM_ROTATION_DAYS: settings
      .optionalCount('days')
      .describe(
        'Days after which the DKIM key of a verified domain is rotated: the domain shows the record of a new key, and the old key signs until that record is found. Unset: keys are rotated only on request.',
      ),
    ...settings.ops,
  })
  .superRefine(peer.allTlsFiles, settings.always)
  .superRefine(peer.callerIdentity('POSTRIDER_WIRE_TOKEN_GATEWAY'), settings.always)

export type Config = z.output<typeof Config>
