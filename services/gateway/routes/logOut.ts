import type { Accounts } from '@postrider/contracts/services.ts'
import { sessionRoute } from '../route.ts'
import { endedCookie } from '../sessionCookie.ts'

export const logOut = sessionRoute({
  name: 'logOut',
  method: 'POST',
  path: '/api/v1/auth/logout',
  session: true,
  tag: 'Accounts',
  summary: 'End the session',
  limit: 'write',
  reply: { status: 204, description: 'The session is over, here and in the browser.' },
  handle: async ({ session, secure }, { accounts }: { accounts: Pick<Accounts, 'LogOut'> }) => {
    await accounts.LogOut({ token: session.token })
    return { empty: true, headers: { 'Set-Cookie': endedCookie(secure) } }
  },
})
