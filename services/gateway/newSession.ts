import type { SessionReply__Output as SessionReply } from '@postrider/contracts/gen/postrider/accounts/v1/SessionReply.ts'
import { given } from '@postrider/kit/fault.ts'
import { sessionCookie } from './sessionCookie.ts'
import { sessionRecord } from './sessionRecord.ts'

/** Answers with a session that was just opened, and sets its cookie. */
export const newSession = async (deps: Parameters<typeof sessionRecord>[0], reply: SessionReply, secure: boolean) => ({
  json: await sessionRecord(deps, {
    caller: given(reply.caller, 'caller'),
    email: reply.email,
    csrfToken: reply.csrf_token,
  }),
  headers: { 'Set-Cookie': sessionCookie(reply.token, secure) },
})
