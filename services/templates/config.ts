import * as peer from '@postrider/kit/peerSettings.ts'
import * as settings from '@postrider/kit/settings.ts'
import type { z } from 'zod'

/** Environment variables of the templates process. */
export const Config = peer.RecordServiceConfig.safeExtend({
  POSTRIDER_MAX_TEMPLATES: settings
    .count('templates', 1_000)
    .describe('Maximum number of templates of a workspace; above it new ones are refused.'),
  POSTRIDER_MAX_TEMPLATE_VERSIONS: settings
    .count('versions', 1_000)
    .describe('Maximum number of versions of a template; above it changes are refused.'),
})

export type Config = z.output<typeof Config>
