import { LogIn, SessionRecord } from '@postrider/contracts/http/account.ts'
import type { Accounts } from '@postrider/contracts/services.ts'
import type { GatewayConfig } from '../deps.ts'
import { newSession } from '../newSession.ts'
import { openRoute } from '../route.ts'

export const logIn = openRoute({
  name: 'logIn',
  method: 'POST',
  path: '/api/v1/auth/login',
  open: true,
  tag: 'Accounts',
  summary: 'Open a session',
  limit: null,
  body: LogIn,
  reply: { status: 200, body: SessionRecord, description: 'The session; its cookie is set.' },
  replyHeaders: { 'Set-Cookie': 'The session.' },
  errors: ['unauthenticated', 'rate_limited', 'csrf'],
  handle: async (
    { body, clientAddress, secure },
    deps: { accounts: Pick<Accounts, 'LogIn' | 'GetWorkspace'>; config: Pick<GatewayConfig, 'sender'> },
  ) => newSession(deps, await deps.accounts.LogIn({ ...body, client_address: clientAddress }), secure),
})
