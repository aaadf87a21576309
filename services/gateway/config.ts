import * as settings from '@postrider/contracts/settings.ts'
import { z } from 'zod'

/** Everything the gateway process reads from its environment. */
export const Config = z
  .object({
    PORT: settings.port(8080).describe('Port of API, docs and dashboard; 0 takes a free one and prints it.'),
    ...settings.wire,
    ...settings.peers.accounts,
    ...settings.peers.templates,
    ...settings.peers.quota,
    ...settings.peers.intake,
    ...settings.redis,
    POSTRIDER_PUBLIC_URL: settings.publicUrl.describe(settings.says.publicUrl),
    POSTRIDER_SENDER: settings.sender.describe(settings.says.sender),
    POSTRIDER_OPERATOR_TOKEN: settings.secret(16).optional().describe(settings.says.operatorToken),
    POSTRIDER_SECRET: settings
      .secret(32)
      .describe('Master key for what is signed; the same in every gateway of an installation.'),
    POSTRIDER_TRUSTED_PROXIES: settings.networks.describe(settings.says.trustedProxies),
    POSTRIDER_MAX_BODY_MIB: settings.mebibytes(15, 50).describe(settings.says.maxBody),
    ...settings.rates,
    ...settings.ops,
  })
  .superRefine(settings.allWireFiles, settings.always)

export type Config = z.output<typeof Config>
