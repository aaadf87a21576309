import { SessionRecord } from '@postrider/contracts/http/account.ts'
import type { Accounts } from '@postrider/contracts/services.ts'
import type { GatewayConfig } from '../deps.ts'
import { sessionRoute } from '../route.ts'
import { sessionRecord } from '../sessionRecord.ts'

export const getSession = sessionRoute({
  name: 'getSession',
  method: 'GET',
  path: '/api/v1/auth/session',
  session: true,
  tag: 'Accounts',
  summary: 'Tell whose session this is',
  limit: 'read',
  reply: { status: 200, body: SessionRecord, description: 'The user, the workspace and the token for changes.' },
  handle: async (
    { caller, session },
    deps: { accounts: Pick<Accounts, 'GetWorkspace'>; config: Pick<GatewayConfig, 'sender'> },
  ) => ({ json: await sessionRecord(deps, { caller, ...session }) }),
})
