import { sessionFacts } from '@postrider/domain/accounts/users.ts'
import type { AccountStore } from '@postrider/ports/accounts.ts'
import { notRemoved, type Outbox } from '../audit/outbox.ts'
import { scalar } from '../client/scalar.ts'
import { type AccountCollections, isEnded, sessionOf, userOf, workspaceOf } from './documents.ts'

type Sessions = Pick<
  AccountStore,
  | 'userByEmail'
  | 'insertSession'
  | 'session'
  | 'touchSession'
  | 'deleteSession'
  | 'deleteStaleSessions'
  | 'deleteExcessSessions'
>

/** What a session shows of its user. */
const ofPerson = {
  email: 1,
  emailConfirmedAt: 1,
  'totp.enabledAt': 1,
  sessionsSince: 1,
  endedSessions: 1,
  operatorSince: 1,
  'disabled.at': 1,
} as const

/** Sessions beyond the limit of a user that a new one removes. */
const maxExcess = 100

/** Sessions, and the user of an address who logs in; `insertOwner` of workspaces.ts adds a user. */
export const accountSessions = ({ sessions, users, workspaces }: AccountCollections, outbox: Outbox): Sessions => ({
  userByEmail: async (email) => {
    const found = await users.findOne({ email: scalar(email) })
    return found && userOf(found)
  },
  insertSession: async ({ hash, ...rest }, audit) => {
    await outbox.insert(sessions, { _id: hash, ...rest }, audit)
  },
  session: async (hash) => {
    const found = await sessions.findOne({ _id: scalar(hash), ...notRemoved })
    if (!found) return null
    const [user, home] = await Promise.all([
      users.findOne({ _id: found.user }, { projection: ofPerson }),
      workspaces.findOne({ _id: found.workspace }, { projection: { keys: 0, invitations: 0, outbox: 0, gone: 0 } }),
    ])
    if (!user || !home || isEnded(found, user)) return null
    const { members, keys: _keys, open: _open, peopleVersion: _version, ...workspace } = home
    const role = members.find((member) => member.user === found.user)?.role
    if (!role) return null
    const session = sessionOf(found)
    const person = { ...userOf(user), operatorSince: user.operatorSince ?? null, disabledAt: user.disabled?.at ?? null }
    return { session, ...sessionFacts(session, person), role, workspace: workspaceOf(workspace) }
  },
  touchSession: async (hash, seenAt, address) => {
    await sessions.updateOne({ _id: scalar(hash), seenAt: { $lt: seenAt } }, { $set: { seenAt, address } })
  },
  deleteSession: async (hash, audit) => (await outbox.remove(sessions, { _id: scalar(hash) }, audit)) !== null,
  deleteStaleSessions: async ({ createdBefore, seenBefore }) => {
    const stale = { $or: [{ createdAt: { $lte: createdBefore } }, { seenAt: { $lte: seenBefore } }] }
    return (await sessions.deleteMany(stale)).deletedCount
  },
  deleteExcessSessions: async (user, keep) => {
    // A session with an audit entry that is not moved yet stays for a later call.
    const removable = { user: scalar(user), 'outbox.0': { $exists: false } }
    const found = sessions.find({ user: scalar(user) }, { projection: { _id: 1 } }).sort({ seenAt: -1 })
    const excess = (await found.skip(keep).limit(maxExcess).toArray()).map(({ _id }) => _id)
    if (excess.length === 0) return 0
    return (await sessions.deleteMany({ _id: { $in: excess }, ...removable })).deletedCount
  },
})
