import { maxPasswordLength } from '@postrider/domain/accounts/limits.ts'
import { roles } from '@postrider/domain/accounts/roles.ts'
import {
  maxWorkspaceNameLength,
  normalizeEmail,
  passwordProblems,
  textProblems,
} from '@postrider/domain/accounts/textRules.ts'
import { planNames } from '@postrider/domain/quota/plans.ts'
import { z } from 'zod'
import { oneOf, report, strictObject } from './schema.ts'
import { roleText } from './values.ts'

const email = z
  .string()
  .min(1)
  .max(320)
  .describe('The email address that the user logs in with.')
  .meta({ example: 'jane@example.com' })
export const password = (text: z.ZodString) =>
  text.max(maxPasswordLength).meta({ format: 'password', example: 'correct horse battery staple' })

export const refineWith =
  (problems: (text: string) => { code: string; message: string }[]) => (text: string, context: z.RefinementCtx) => {
    for (const { code, message } of problems(text)) report(context, { code, message, input: text })
  }

const emailProblems = (text: string) => {
  const read = normalizeEmail(text)
  return 'email' in read ? [] : [read]
}

const newPasswordText = '8 to 256 characters; common passwords are refused.'

/** Returns the schema of a new password. */
export const newPassword = () =>
  password(z.string())
    .superRefine(refineWith((text) => passwordProblems('', text)))
    .describe(newPasswordText)
    .meta({ minLength: 8, maxLength: 256 })

/** Returns the schema of an address that is checked when a person enters it. */
export const newEmail = () => email.superRefine(refineWith(emailProblems))

/** The code of a second factor. */
export const code = () => z.string().max(64).optional().meta({ example: '123456' })

/** Body of `POST /api/v1/auth/signup`. */
export const SignUp = strictObject({
  email: newEmail(),
  password: newPassword(),
  workspace_name: z
    .string()
    .superRefine(refineWith((text) => textProblems('', text, { max: maxWorkspaceNameLength })))
    .describe('Name of the new workspace, up to 100 characters.')
    .meta({ minLength: 1, maxLength: maxWorkspaceNameLength, example: 'Acme' }),
  code: code().describe(
    'Code of the second factor, or a recovery code, for a user with two-factor authentication who is no longer in any workspace. Refused (`not_used`) for other users, because it would not be checked.',
  ),
}).meta({ id: 'SignUp' })

/** Body of `POST /api/v1/auth/login`. */
export const LogIn = strictObject({
  email,
  password: password(z.string().min(1)).describe('The user’s password.'),
  code: code().describe(
    'Code of the second factor, or a recovery code; required if two-factor authentication is on. With the right password of an account without it, a code is refused (`not_used`), because it would not be checked.',
  ),
}).meta({ id: 'LogIn' })

export const SessionRecord = z
  .looseObject({
    user: z.looseObject({
      id: z.string(),
      email: z.string(),
      email_confirmed: z.boolean().describe('Whether a link that was mailed to the address was used.'),
      totp_enabled: z.boolean().describe('Whether two-factor authentication is on.'),
      operator: z
        .boolean()
        .describe(
          'Whether the user is an operator of the service. The operations of the operator also need a session that was opened with a code.',
        ),
    }),
    workspace: z.looseObject({
      id: z.string(),
      name: z.string(),
      plan: oneOf(planNames).describe('The plan, which sets the quotas.'),
      require_totp: z.boolean().describe('Whether members need two-factor authentication.'),
      sender: z.string().describe('The shared platform address that mail is sent from while no domain is verified.'),
    }),
    role: oneOf(roles).describe(`What the user may do. ${roleText}`),
    csrf_token: z.string().describe('Send it as `X-CSRF-Token` with every change that this session makes.'),
  })
  .meta({ id: 'Session' })
