import { z } from 'zod'
import { closed } from './closed.ts'

/** Body of `POST /api/v1/emails/{id}/resolve`. */
export const ResolveEmail = closed({
  as: z
    .enum(['delivered', 'failed', 'retry'])
    .describe('`delivered` or `failed` ends it; `retry` sends it again, perhaps for the second time.'),
}).meta({ id: 'ResolveEmail' })
