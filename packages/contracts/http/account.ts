import {
  longestWorkspaceName,
  normaliseEmail,
  passwordProblems,
  textProblems,
} from '@postrider/domain/accounts/accountRules.ts'
import { z } from 'zod'
import { closed, report } from './closed.ts'

const email = z
  .string()
  .min(1)
  .max(320)
  .describe('The e-mail address the user logs in with.')
  .meta({ example: 'jane@example.com' })
const password = (text: z.ZodString) => text.max(1_024).meta({ format: 'password' })

const judged =
  (problems: (text: string) => { code: string; message: string }[]) => (text: string, context: z.RefinementCtx) => {
    for (const { code, message } of problems(text)) report(context, { code, message, input: text })
  }

const emailProblems = (text: string) => {
  const read = normaliseEmail(text)
  return 'email' in read ? [] : [read]
}

/** Body of `POST /api/v1/auth/signup`. */
export const SignUp = closed({
  email: email.superRefine(judged(emailProblems)),
  password: password(z.string())
    .superRefine(judged((text) => passwordProblems('', text)))
    .describe('At least 8 characters, up to 256.'),
  workspace_name: z
    .string()
    .superRefine(judged((text) => textProblems('', text, { max: longestWorkspaceName })))
    .describe('Name of the workspace that is made, up to 100 characters.')
    .meta({ example: 'Acme' }),
}).meta({ id: 'SignUp' })

/** Body of `POST /api/v1/auth/login`. */
export const LogIn = closed({ email, password: password(z.string().min(1)).describe('The user’s password.') }).meta({
  id: 'LogIn',
})

export const SessionRecord = z
  .looseObject({
    user: z.looseObject({ id: z.string(), email: z.string() }),
    workspace: z.looseObject({
      id: z.string(),
      name: z.string(),
      plan: z.string().describe('`free` or `pro`.'),
      sender: z.string().describe('The shared platform address that mail leaves from while no domain is verified.'),
    }),
    role: z.string().describe('`owner`, `admin`, `member` or `viewer`.'),
    csrf_token: z.string().describe('Goes into `X-CSRF-Token` of every change this session makes.'),
  })
  .meta({ id: 'Session' })
