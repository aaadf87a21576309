import type { AccountStore, StoredWorkspace, User } from '@postrider/ports/accounts.ts'
import { isTaken } from '../client/mongoError.ts'
import { scalar } from '../client/scalar.ts'
import { type AccountCollections, userOf } from './docs.ts'

type Owners = Pick<AccountStore, 'insertOwner' | 'userByEmail' | 'memberships' | 'role'>

/**
 * The workspace is written first, with its owner in it, but not open; then the user, under the unique address; then the
 * workspace is opened. The second write decides. Before it there is no user, and nobody knows of the workspace: it is in
 * no list, and its id was told to no one. So a crash there leaves one document that nobody ever sees, and signing up
 * again works. After it both are there: `openKept` opens what a crash left closed before the next list.
 */
const insertOwner = async (
  { users, workspaces }: AccountCollections,
  user: User,
  workspace: StoredWorkspace,
): Promise<boolean> => {
  const { id: _id, ...settings } = workspace
  const owner = { user: user.id, role: 'owner', at: user.createdAt } as const
  await workspaces.insertOne({ _id, ...settings, members: [owner], keys: [], open: false })
  const { id, ...person } = user
  try {
    await users.insertOne({ _id: id, ...person })
  } catch (thrown) {
    if (!isTaken(thrown)) throw thrown
    await workspaces.deleteOne({ _id, open: false })
    return false
  }
  await workspaces.updateOne({ _id }, { $set: { open: true } })
  return true
}

/** Opens the workspaces whose owner is kept. */
export const openKept = async ({ users, workspaces }: AccountCollections): Promise<void> => {
  const closed = await workspaces.find({ open: false }, { projection: { members: 1 } }).toArray()
  if (closed.length === 0) return
  const owners = closed.flatMap(({ members }) => members.map(({ user }) => user))
  const kept = await users.find({ _id: { $in: owners } }, { projection: { _id: 1 } }).toArray()
  const known = new Set(kept.map(({ _id }) => _id))
  const ids = closed.filter(({ members }) => members.some(({ user }) => known.has(user))).map(({ _id }) => _id)
  await workspaces.updateMany({ _id: { $in: ids } }, { $set: { open: true } })
}

export const accountOwners = (collections: AccountCollections): Owners => {
  const { users, workspaces } = collections
  return {
    insertOwner: (user, workspace) => insertOwner(collections, user, workspace),
    userByEmail: async (email) => {
      const found = await users.findOne({ email: scalar(email) })
      return found && userOf(found)
    },
    memberships: async (user) => {
      const found = await workspaces.find({ 'members.user': scalar(user) }, { projection: { members: 1 } }).toArray()
      return found
        .flatMap(({ _id: workspace, members }) => members.map((member) => ({ workspace, ...member })))
        .filter((member) => member.user === user)
        .toSorted((a, b) => a.at - b.at || (a.workspace < b.workspace ? -1 : 1))
        .map(({ workspace, role }) => ({ workspace, role }))
    },
    role: async (workspace, user) => {
      const found = await workspaces.findOne({ _id: scalar(workspace) }, { projection: { members: 1 } })
      return found?.members.find((member) => member.user === user)?.role ?? null
    },
  }
}
