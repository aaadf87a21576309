import { unknownPolicies } from '@postrider/domain/email/email.ts'
import { planNames } from '@postrider/domain/quota/plans.ts'
import { maxQuota } from '@postrider/domain/quota/quota.ts'
import { z } from 'zod'
import { password } from './account.ts'
import { pendingFields } from './billing.ts'
import { RetentionSetting, retentionDescription, retentionShown } from './retention.ts'
import { listOf, oneOf, report, strictObject, time } from './schema.ts'
import { onUnknownText } from './values.ts'

/** Returns an amount of US dollars written as `25` or `25.00`; null: it is not one. */
const parseAmount = (text: string): number | null => (/^\d{1,9}(\.\d{1,2})?$/.test(text) ? Number(text) : null)

/** Body of `PATCH /api/v1/workspace`: an absent field stays as it is. */
export const UpdateWorkspace = strictObject({
  name: z
    .string()
    .optional()
    .describe('Name of the workspace, up to 100 characters.')
    .meta({ minLength: 1, maxLength: 100, example: 'Acme' }),
  sender_name: z
    .string()
    .optional()
    .describe(
      'Display name on the shared sender, up to 100 characters; it must not look like an address. Empty: the workspace’s name.',
    ),
  postal_address: z.string().optional().describe('Postal address; marketing mail requires one. Empty: none.'),
  on_unknown: z
    .enum(unknownPolicies)
    .optional()
    .describe(
      `What to do if a server accepted a message but its reply was lost; a message may override it. ${onUnknownText}`,
    ),
  retention: RetentionSetting.nullable()
    .optional()
    .describe(
      `How long the content of new mail is stored after acceptance or the scheduled time; a message may override it. ${retentionDescription} Null: the service’s default.`,
    ),
  spending_cap_usd: z
    .union([z.number(), z.string()], { error: 'Must be an amount such as "25.00", or null for no cap.' })
    .transform((value, context) => {
      const usd = typeof value === 'number' ? value : parseAmount(value)
      if (usd !== null) return usd
      const message = 'Must be an amount in US dollars with at most two decimals, such as "25.00", or null for no cap.'
      report(context, { code: 'invalid_value', message, input: value })
      return z.NEVER
    })
    .nullable()
    .optional()
    .describe(
      'Maximum US dollars a month that sends beyond the plan may cost, with at most two decimals; null: no cap. A number is accepted too. Only an owner may change it.',
    )
    .meta({ example: '25.00' }),
  require_totp: z
    .boolean()
    .optional()
    .describe(
      'Whether members need two-factor authentication. Without it, they reach only their own account. Only an owner may change it.',
    ),
}).meta({ id: 'UpdateWorkspace' })

/** Body of `DELETE /api/v1/workspace`. */
export const DeleteWorkspace = strictObject({
  password: password(z.string().min(1)).describe('The password of your account.'),
}).meta({ id: 'DeleteWorkspace' })

export const WorkspaceRecord = z
  .looseObject({
    object: z.literal('workspace'),
    id: z.string(),
    name: z.string(),
    plan: oneOf(planNames).describe('The plan, which sets the quotas.'),
    sender: z.string().describe('The shared platform address.'),
    sender_name: z.string().describe('Display name on the shared sender; empty: the workspace’s name.'),
    postal_address: z.string().describe('Postal address; empty: none.'),
    on_unknown: z.enum(unknownPolicies).describe(onUnknownText),
    retention: retentionShown(),
    spending_cap_usd: z
      .string()
      .nullable()
      .describe('US dollars a month, with two decimals; null: no cap.')
      .meta({ example: '25.00' }),
    require_totp: z.boolean().describe('Whether members need two-factor authentication.'),
    suspended: z
      .boolean()
      .describe('Whether its mail is stopped: by the operator, or because its deletion is scheduled.'),
    suspended_reason: z.string().nullable().describe('Reason why the operator stopped its mail; null: none is given.'),
    deletes_at: time().nullable().describe('When the workspace is deleted; null: no deletion is scheduled.'),
    created_at: time(),
  })
  .meta({ id: 'Workspace' })

const override = (number: z.ZodNumber | z.ZodInt) =>
  z.union([number, z.literal('plan')], { error: 'Must be a number, null for no limit, or "plan".' }).nullable()

const sends = () => override(z.int().min(0).max(maxQuota)).optional()

/** Body of `PATCH /api/v1/operator/workspaces/{id}`: an absent field stays as it is. */
export const UpdateControls = strictObject({
  limits: strictObject({
    monthly: sends().describe('Sends a month.'),
    daily: sends().describe('Sends a day.'),
    rate: override(z.number().positive())
      .optional()
      .describe('Requests per second with at most six decimals, of each key and of the workspace.'),
    burst: override(z.int().min(1))
      .optional()
      .describe('Requests in a burst, of each key and of the workspace. Stored, but not used, while `rate` is null.'),
  })
    .optional()
    .describe('Each is a number, null for no limit, or `plan` for the plan’s own limit.'),
  plan: z
    .enum(planNames, { error: `Must be one of the plans ${planNames.join(', ')}.` })
    .optional()
    .describe(
      'The plan. It begins immediately, even if it is a lower plan. A higher price is invoiced by days, as for an owner.',
    ),
  suspended: z.boolean().optional().describe('Whether the workspace’s mail is stopped.'),
  reason: z
    .string()
    .optional()
    .describe(
      'Reason why the mail is stopped, up to 500 characters, for the workspace’s users; empty: no reason. It is removed when the mail is not stopped any more.',
    ),
  note: z.string().optional().describe('The operator’s note.'),
}).meta({ id: 'UpdateWorkspaceControls' })

const overrideState = z.union([z.number(), z.literal('plan')]).nullable()

export const ControlsRecord = z
  .looseObject({
    object: z.literal('workspace'),
    id: z.string(),
    name: z.string(),
    plan: oneOf(planNames),
    limits: z
      .looseObject({ monthly: overrideState, daily: overrideState, rate: overrideState, burst: overrideState })
      .describe('Each is a number, null for no limit, or `plan` for the plan’s own limit.'),
    suspended: z
      .boolean()
      .describe('Whether its mail is stopped: by the operator, or because its deletion is scheduled.'),
    suspended_reason: z.string().nullable().describe('The reason that its users see; null: none.'),
    deletes_at: time().nullable().describe('When the workspace is deleted; null: no deletion is scheduled.'),
    note: z.string().describe('The operator’s note, which users of the workspace cannot read.'),
    created_at: time(),
  })
  .meta({ id: 'WorkspaceControls' })

export const ControlsList = listOf(ControlsRecord, 'WorkspaceControlsList')

const limit = z.number().nullable().describe('Maximum number of sends; null: no limit.')
const used = z.number().describe('Accepted sends minus released ones.')
const remaining = z.number().nullable().describe('Sends left; null: no limit.')
const usageOverride = z
  .union([z.number(), z.literal('plan')])
  .nullable()
  .describe('The operator’s number, null for no limit, `plan` for the plan’s own limit.')

export const UsageRecord = z
  .looseObject({
    plan: oneOf(planNames).describe('The plan, which sets the quotas.'),
    period: z.looseObject({ start: time(), end: time() }).describe('The calendar month, UTC.'),
    monthly: z.looseObject({ limit, used, remaining }),
    daily: z.looseObject({ limit, used, remaining, resets_at: time() }),
    overage: z.looseObject({
      allowed: z.boolean().describe('Whether sends beyond the monthly limit are accepted and billed.'),
      sends: z.number().describe('Sends beyond the limit.'),
      blocks: z.number().describe('Number of started blocks of a thousand sends; each is billed.'),
      amount_usd: z.string().describe('Cost of these blocks, in US dollars.').meta({ example: '3.00' }),
      cap_usd: z.string().nullable().describe('The workspace’s spending cap; null: none.'),
    }),
    overrides: z
      .looseObject({ monthly: usageOverride, daily: usageOverride })
      .describe('Limits that the operator set.'),
    history: z
      .array(z.looseObject({ date: z.string().describe('Date in UTC, `YYYY-MM-DD`.'), sends: z.number() }))
      .describe('Sends per day.'),
    ...pendingFields,
  })
  .meta({ id: 'Usage' })
