import { roles } from '@postrider/domain/accounts/roles.ts'
import {
  longestWorkspaceName,
  normaliseEmail,
  passwordProblems,
  textProblems,
} from '@postrider/domain/accounts/textRules.ts'
import { planNames } from '@postrider/domain/quota/plans.ts'
import { z } from 'zod'
import { notSupportedYet } from './notSupported.ts'
import { oneOf, report, strictObject } from './schema.ts'
import { roleText } from './values.ts'

const email = z
  .string()
  .min(1)
  .max(320)
  .describe('The email address that the user logs in with.')
  .meta({ example: 'jane@example.com' })
const password = (text: z.ZodString) =>
  text.max(1_024).meta({ format: 'password', example: 'correct horse battery staple' })

const refineWith =
  (problems: (text: string) => { code: string; message: string }[]) => (text: string, context: z.RefinementCtx) => {
    for (const { code, message } of problems(text)) report(context, { code, message, input: text })
  }

const emailProblems = (text: string) => {
  const read = normaliseEmail(text)
  return 'email' in read ? [] : [read]
}

/** Body of `POST /api/v1/auth/signup`. */
export const SignUp = strictObject({
  email: email.superRefine(refineWith(emailProblems)),
  password: password(z.string())
    .superRefine(refineWith((text) => passwordProblems('', text)))
    .describe('8 to 256 characters.')
    .meta({ minLength: 8 }),
  workspace_name: z
    .string()
    .superRefine(refineWith((text) => textProblems('', text, { max: longestWorkspaceName })))
    .describe('Name of the new workspace, up to 100 characters.')
    .meta({ minLength: 1, example: 'Acme' }),
}).meta({ id: 'SignUp' })

/** Body of `POST /api/v1/auth/login`. */
export const LogIn = strictObject({
  email,
  password: password(z.string().min(1)).describe('The user’s password.'),
  code: notSupportedYet('One-time code of the second factor.'),
}).meta({ id: 'LogIn' })

export const SessionRecord = z
  .looseObject({
    user: z.looseObject({ id: z.string(), email: z.string() }),
    workspace: z.looseObject({
      id: z.string(),
      name: z.string(),
      plan: oneOf(planNames).describe('The plan, which sets the quotas.'),
      sender: z.string().describe('The shared platform address that mail is sent from while no domain is verified.'),
    }),
    role: oneOf(roles).describe(`What the user may do. ${roleText}`),
    csrf_token: z.string().describe('Send it as `X-CSRF-Token` with every change that this session makes.'),
  })
  .meta({ id: 'Session' })
