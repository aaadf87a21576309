import { RevokedSessions, SessionEntries, type SessionEntry } from '@postrider/contracts/http/ownAccount.ts'
import { Id, Page, type RecordOf } from '@postrider/contracts/http/schema.ts'
import type { SessionInfo } from '@postrider/contracts/services.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { listPage } from '../lists.ts'
import { sessionRoute } from '../route.ts'

const tag = 'Accounts'
const sessionsPath = '/api/v1/auth/sessions'

const sessionEntry = (session: SessionInfo) =>
  ({
    object: 'session',
    id: session.id,
    created_at: isoTime(session.created_at),
    last_used_at: isoTime(session.last_used_at),
    device: session.device || null,
    address: session.address || null,
    current: session.current,
  }) satisfies RecordOf<typeof SessionEntry>

export const listSessions = sessionRoute({
  name: 'listSessions',
  method: 'GET',
  path: sessionsPath,
  session: 'account:use',
  isOwnAccount: true,
  tag,
  summary: 'List your sessions',
  description:
    'The newest first, with the device and the client address of the last use; at most the 100 that were used last.',
  limit: 'read',
  query: Page,
  reply: { status: 200, body: SessionEntries, description: 'A page of your sessions.' },
  handle: async ({ query, session, caller }, { accounts, cursors }) => {
    const { limit, before, body } = listPage(cursors, `${sessionsPath} ${caller.userId}`, caller.workspace, query)
    const { sessions } = await accounts.ListSessions({ token: session.token })
    const newest = sessions.toSorted((a, b) => (a.id < b.id ? 1 : -1))
    const older = before === '' ? newest : newest.filter(({ id }) => id < before)
    return { json: body(older.slice(0, limit).map(sessionEntry), older.length > limit) }
  },
})

export const revokeSession = sessionRoute({
  name: 'revokeSession',
  method: 'DELETE',
  path: `${sessionsPath}/:id`,
  session: 'account:use',
  isOwnAccount: true,
  tag,
  summary: 'End one of your sessions',
  limit: 'write',
  params: Id,
  reply: { status: 204, description: 'The session has ended.' },
  handle: async ({ params: { id }, session, clientAddress }, { accounts }) => {
    await accounts.RevokeSession({ token: session.token, id, client_address: clientAddress })
    return { empty: true }
  },
})

export const revokeOtherSessions = sessionRoute({
  name: 'revokeOtherSessions',
  method: 'DELETE',
  path: sessionsPath,
  session: 'account:use',
  isOwnAccount: true,
  tag,
  summary: 'End all your sessions but this one',
  limit: 'write',
  reply: { status: 200, body: RevokedSessions, description: 'How many sessions have ended.' },
  handle: async ({ session, clientAddress: client_address }, { accounts }) => {
    const revoked = await accounts.RevokeOtherSessions({ token: session.token, client_address })
    return { json: { object: 'revoked_sessions' as const, ...revoked } }
  },
})
