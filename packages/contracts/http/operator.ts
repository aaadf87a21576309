import { roles } from '@postrider/domain/accounts/roles.ts'
import { planNames } from '@postrider/domain/quota/plans.ts'
import { z } from 'zod'
import { newEmail } from './account.ts'
import { listOf, oneOf, page, report, strictObject, time } from './schema.ts'

const maxSearchLength = 254

const search = (description: string) =>
  z
    .string()
    .optional()
    .superRefine((text, context) => {
      if (text === undefined || (text !== '' && [...text].length <= maxSearchLength)) return
      report(context, { code: 'invalid_value', message: `Must have 1 to ${maxSearchLength} characters.`, input: text })
    })
    .describe(description)
    .meta({ minLength: 1, maxLength: maxSearchLength })

const choice = <Value>(values: Readonly<Record<string, Value>>, description: string) =>
  z
    .string()
    .optional()
    .transform((text, context): Value | undefined => {
      if (text === undefined || Object.hasOwn(values, text)) return text === undefined ? undefined : values[text]
      const message = `Must be one of ${Object.keys(values).join(', ')}.`
      report(context, { code: 'invalid_value', message, input: text })
      return z.NEVER
    })
    .describe(description)
    .meta({ enum: Object.keys(values) })

const flag = (description: string) => choice({ true: true, false: false }, description)

/** Query of `GET /api/v1/operator/workspaces`. */
export const SearchWorkspaces = z.object({
  ...page,
  q: search('A workspace’s id, a part of its name, or a part of a member’s address, in any case.'),
  plan: choice(Object.fromEntries(planNames.map((name) => [name, name])), 'Workspaces on this plan.'),
  suspended: flag('Workspaces whose mail is stopped, or not.'),
  deleting: flag('Workspaces whose deletion is scheduled, or not.'),
})

/** Query of `GET /api/v1/operator/users`. */
export const SearchUsers = z.object({
  ...page,
  q: search('A user’s id or a part of the address, in any case.'),
  disabled: flag('Users that are disabled, or not.'),
})

/** Body of `PATCH /api/v1/operator/users/{id}`. */
export const UpdateUser = strictObject({
  disabled: z.boolean().describe('Whether the user is disabled. That ends the user’s sessions.'),
  reason: z
    .string()
    .optional()
    .describe('Reason, up to 500 characters. The user sees it after a login with the right password.'),
}).meta({ id: 'UpdateUser' })

export const UserRecord = z
  .looseObject({
    object: z.literal('user'),
    id: z.string(),
    email: z.string().describe('The address that the user logs in with.'),
    workspaces: z
      .array(z.looseObject({ id: z.string(), name: z.string(), role: oneOf(roles) }))
      .describe('The user’s workspaces, in the order of joining.'),
    disabled: z.boolean(),
    disabled_reason: z.string().nullable().describe('Reason that the operator gave; null: none.'),
    last_seen_at: time()
      .nullable()
      .describe(
        'Time of the last use of a session, rounded down to the hour; null: not seen since this field was introduced.',
      ),
    created_at: time(),
  })
  .meta({ id: 'User' })

export const UserList = listOf(UserRecord, 'UserList')

/** Query of `GET /api/v1/operator/operators`. */
export const ListOperators = z.object({ ...page })

/** Body of `POST /api/v1/operator/operators`. */
export const AddOperator = strictObject({
  email: newEmail()
    .describe(
      'The address that the user logs in with. The user must have confirmed it, and have two-factor authentication.',
    )
    .meta({ example: 'john@example.com' }),
}).meta({ id: 'AddOperator' })

export const OperatorRecord = z
  .looseObject({
    object: z.literal('operator'),
    id: z.string().describe('Id of the user.'),
    email: z.string().describe('The address that the user logs in with.'),
    totp_enabled: z
      .boolean()
      .describe(
        'Whether two-factor authentication is on. Without it the user is refused every operation of the operator.',
      ),
    disabled: z.boolean().describe('Whether the user is disabled. A disabled user cannot log in.'),
    last_seen_at: time()
      .nullable()
      .describe(
        'Time of the last use of a session, rounded down to the hour; null: not seen since this field was introduced.',
      ),
    created_at: time().describe('When the user was made an operator.'),
  })
  .meta({ id: 'Operator' })

export const OperatorList = listOf(OperatorRecord, 'OperatorList')
