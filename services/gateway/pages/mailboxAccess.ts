import { Fault } from '@postrider/kit/fault.ts'
import { isLoopback } from '../clientAddress.ts'
import type { Context } from '../context.ts'
import type { RouteDeps } from '../deps.ts'
import { sessionToken } from '../sessionCookie.ts'

/**
 * Whose captured mail a request may see: an owner that of the workspace, somebody on this very machine all (empty).
 * @throws Fault `forbidden`
 */
export const mailboxWorkspace = async (
  { accounts }: Pick<RouteDeps, 'accounts'>,
  context: Context,
): Promise<string> => {
  const token = sessionToken(context.req, context.state.secure)
  const session = token === null ? null : await accounts.AuthenticateSession({ token }).catch(nobody)
  if (session?.caller?.role === 'owner') return session.caller.workspace
  if (isLoopback(context.req)) return ''
  throw new Fault(
    'forbidden',
    'Captured mail is shown to owners who are logged in, and on the machine the service runs on.',
  )
}

const nobody = (thrown: unknown): null => {
  if (thrown instanceof Fault && thrown.code === 'unauthenticated') return null
  throw thrown
}
