import type { AccountStore } from '@postrider/ports/accounts.ts'
import { scalar } from '../client/scalar.ts'
import { type AccountCollections, sessionOf, userOf, workspaceOf } from './documents.ts'

type Users = Pick<
  AccountStore,
  'userByEmail' | 'insertSession' | 'session' | 'touchSession' | 'deleteSession' | 'deleteStaleSessions'
>

/** Users and their sessions; `insertOwner` of workspaces.ts adds a user. */
export const accountUsers = ({ sessions, users, workspaces }: AccountCollections): Users => ({
  userByEmail: async (email) => {
    const found = await users.findOne({ email: scalar(email) })
    return found && userOf(found)
  },
  insertSession: async ({ hash, ...rest }) => {
    await sessions.insertOne({ _id: hash, ...rest })
  },
  session: async (hash) => {
    const found = await sessions.findOne({ _id: scalar(hash) })
    if (!found) return null
    const [user, home] = await Promise.all([
      users.findOne({ _id: found.user }, { projection: { email: 1 } }),
      workspaces.findOne({ _id: found.workspace }, { projection: { keys: 0 } }),
    ])
    if (!user || !home) return null
    const { members, keys: _keys, open: _open, ...workspace } = home
    const role = members.find((member) => member.user === found.user)?.role
    return role ? { session: sessionOf(found), email: user.email, role, workspace: workspaceOf(workspace) } : null
  },
  touchSession: async (hash, seenAt) => {
    await sessions.updateOne({ _id: scalar(hash) }, { $max: { seenAt } })
  },
  deleteSession: async (hash) => (await sessions.deleteOne({ _id: scalar(hash) })).deletedCount === 1,
  deleteStaleSessions: async ({ createdBefore, seenBefore }) => {
    const stale = { $or: [{ createdAt: { $lte: createdBefore } }, { seenAt: { $lte: seenBefore } }] }
    return (await sessions.deleteMany(stale)).deletedCount
  },
})
