import * as settings from '@postrider/kit/settings.ts'
import type { z } from 'zod'

/** Environment variables of the templates process. */
export const Config = settings.RecordServiceConfig.safeExtend({
  POSTRIDER_MAX_TEMPLATES: settings
    .count('templates', 1_000)
    .describe('Most templates of a workspace; above it new ones are refused.'),
})

export type Config = z.output<typeof Config>
