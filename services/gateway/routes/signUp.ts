import { SessionRecord, SignUp } from '@postrider/contracts/http/account.ts'
import type { Accounts } from '@postrider/contracts/services.ts'
import type { GatewayConfig } from '../deps.ts'
import { newSession } from '../newSession.ts'
import { openRoute } from '../route.ts'

export const signUp = openRoute({
  name: 'signUp',
  method: 'POST',
  path: '/api/v1/auth/signup',
  open: true,
  tag: 'Accounts',
  summary: 'Make a user and a workspace, logged in at once',
  limit: null,
  body: SignUp,
  reply: { status: 201, body: SessionRecord, description: 'The new session; its cookie is set.' },
  replyHeaders: { 'Set-Cookie': 'The session.' },
  errors: ['conflict', 'forbidden', 'rate_limited', 'csrf'],
  handle: async (
    { body, clientAddress, secure },
    deps: { accounts: Pick<Accounts, 'SignUp' | 'GetWorkspace'>; config: Pick<GatewayConfig, 'sender'> },
  ) => newSession(deps, await deps.accounts.SignUp({ ...body, client_address: clientAddress }), secure),
})
