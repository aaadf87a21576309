import { z } from 'zod'
import { closed } from './closed.ts'
import { time } from './lists.ts'

/** Body of `PATCH /api/v1/workspace`: what is absent stays. */
export const UpdateWorkspace = closed({
  name: z.string().optional().describe('Name of the workspace, up to 100 characters.'),
  sender_name: z
    .string()
    .optional()
    .describe(
      'Display name on the shared sender, up to 100 characters; it must not look like an address. Empty: the workspace’s name.',
    ),
  postal_address: z.string().optional().describe('Postal address; marketing mail needs one. Empty: none.'),
  on_unknown: z
    .enum(['retry', 'hold'])
    .optional()
    .describe('What to do, unless a message says otherwise, when a server took it and its reply was lost.'),
  retention: z
    .union([z.literal(['none', 'metadata']), z.int().min(1).max(3_650)], {
      error: 'Must be "none", "metadata" or a number of days.',
    })
    .nullable()
    .optional()
    .describe('How long content is kept: `none`, `metadata`, or days. Null: the service’s default.'),
  spending_cap_usd: z
    .number()
    .min(0)
    .nullable()
    .optional()
    .describe(
      'Most US dollars a month that sends beyond the plan may cost; null: no cap. Only the owner may change it.',
    ),
}).meta({ id: 'UpdateWorkspace' })

export const WorkspaceRecord = z
  .looseObject({
    object: z.literal('workspace'),
    id: z.string(),
    name: z.string(),
    plan: z.string().describe('`free` or `pro`.'),
    sender: z.string().describe('The shared platform address.'),
    sender_name: z.string().describe('Display name on it; empty: the workspace’s name.'),
    postal_address: z.string().describe('Empty: none.'),
    on_unknown: z.enum(['retry', 'hold']),
    retention: z.union([z.string(), z.int()]).nullable().describe('`none`, `metadata` or days; null: the default.'),
    spending_cap_usd: z.number().nullable().describe('US dollars a month; null: no cap.'),
    suspended: z.boolean().describe('Whether the operator stopped its mail.'),
    created_at: time(),
  })
  .meta({ id: 'Workspace' })
