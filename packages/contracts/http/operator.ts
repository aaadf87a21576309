import { z } from 'zod'
import { closed } from './closed.ts'
import { listOf, time } from './lists.ts'

const override = (number: z.ZodNumber | z.ZodInt) =>
  z.union([number, z.literal('plan')], { error: 'Must be a number, null for no limit, or "plan".' }).nullable()

const send = () => override(z.int().min(0)).optional()

/** Body of `PATCH /api/v1/operator/workspaces/{id}`: what is absent stays. */
export const UpdateControls = closed({
  limits: closed({
    monthly: send().describe('Sends a month.'),
    daily: send().describe('Sends a day.'),
    rate: override(z.number().positive()).optional().describe('Requests a second, of each key and of the workspace.'),
    burst: override(z.int().min(1)).optional().describe('Requests at once, of each key and of the workspace.'),
  })
    .optional()
    .describe('Each a number, null for no limit, or `plan` for the plan’s own.'),
  suspended: z.boolean().optional().describe('Whether the workspace’s mail is stopped.'),
  note: z.string().optional().describe('The operator’s own note.'),
}).meta({ id: 'UpdateWorkspaceControls' })

const state = z.union([z.number(), z.literal('plan')]).nullable()

export const ControlsRecord = z
  .looseObject({
    object: z.literal('workspace'),
    id: z.string(),
    name: z.string(),
    plan: z.string(),
    limits: z
      .looseObject({ monthly: state, daily: state, rate: state, burst: state })
      .describe('Each a number, null for no limit, or `plan` for the plan’s own.'),
    suspended: z.boolean(),
    note: z.string(),
    created_at: time(),
  })
  .meta({ id: 'WorkspaceControls' })

export const ControlsList = listOf(ControlsRecord, 'WorkspaceControlsList')
