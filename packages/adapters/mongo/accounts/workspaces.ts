import { firstMember } from '@postrider/domain/accounts/people.ts'
import type { AccountStore, StoredWorkspace, User } from '@postrider/ports/accounts.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import type { Suspensions } from '@postrider/ports/suspensions.ts'
import type { Db } from 'mongodb'
import { asRead, type Outbox, untilUnchanged } from '../audit/outbox.ts'
import { ignoreDuplicateKey, withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import {
  type AccountCollections,
  accountCollections,
  type BareWorkspaceDoc,
  withoutLists,
  workspaceOf,
} from './documents.ts'
import { memberDoc } from './people.ts'

type Workspaces = Pick<
  AccountStore,
  'insertOwner' | 'memberships' | 'role' | 'workspace' | 'changeWorkspace' | 'listWorkspaces'
>

/** Sign-up, workspaces and their members. */
export const accountWorkspaces = (collections: AccountCollections, outbox: Outbox): Workspaces => {
  const { workspaces } = collections
  const projection = withoutLists
  const find = async (id: string) => {
    const found = await workspaces.findOne<BareWorkspaceDoc>({ _id: scalar(id) }, { projection })
    return found && workspaceOf(found)
  }
  return {
    insertOwner: (user, workspace, audit) => insertOwner(collections, outbox, { user, workspace, audit }),
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
    workspace: find,
    changeWorkspace: (id, change, entryOf) =>
      untilUnchanged(async () => {
        const found = await workspaces.findOne<BareWorkspaceDoc>({ _id: scalar(id) }, { projection })
        const before = found && workspaceOf(found)
        const entry = before && entryOf(before, { ...before, ...change })
        if (!entry) return before
        const unchanged = { _id: scalar(id), ...asRead(found, change) }
        const changed = await outbox.update(workspaces, unchanged, { $set: change }, [entry], { projection })
        return changed ? workspaceOf(changed) : undefined
      }),
    listWorkspaces: async (before, limit) => {
      await openOwned(collections)
      const filter = before === null ? { open: true } : { open: true, _id: { $lt: scalar(before) } }
      const found = workspaces.find<BareWorkspaceDoc>(filter, { projection }).sort({ _id: -1 }).limit(limit)
      return (await found.toArray()).map(workspaceOf)
    },
  }
}

/**
 * Writes the workspace with its owner but not open, then the user under the unique address, then opens the workspace.
 * The second write decides, and has the audit entry. A crash before it leaves a workspace that no list contains and
 * whose id was not returned; the address can sign up again. After it both exist, and `openOwned` opens the workspace
 * before the next list.
 */
const insertOwner = async (
  { users, workspaces }: AccountCollections,
  outbox: Outbox,
  { user, workspace, audit }: { user: User; workspace: StoredWorkspace; audit: AuditEntry },
): Promise<boolean> => {
  const { id: _id, ...settings } = workspace
  const owner = memberDoc(firstMember(user.id, workspace))
  await workspaces.insertOne({ _id, ...settings, members: [owner], keys: [], open: false })
  const { id, ...person } = user
  const isNew = await ignoreDuplicateKey(() => users.insertOne(outbox.withEntry({ _id: id, ...person }, audit)))
  if (!isNew) {
    await workspaces.deleteOne({ _id, open: false })
    return false
  }
  await workspaces.updateOne({ _id }, { $set: { open: true } })
  await outbox.moveNow(users, id, [audit])
  return true
}

/** Opens workspaces that a crash left closed although their owner exists. Call it before a list. */
export const openOwned = async ({ users, workspaces }: AccountCollections): Promise<void> => {
  const closed = await workspaces.find({ open: false }, { projection: { members: 1 } }).toArray()
  if (closed.length === 0) return
  const owners = closed.flatMap(({ members }) => members.map(({ user }) => user))
  const found = await users.find({ _id: { $in: owners } }, { projection: { _id: 1 } }).toArray()
  const existing = new Set(found.map(({ _id }) => _id))
  const owned = closed.filter(({ members }) => members.some(({ user }) => existing.has(user)))
  await workspaces.updateMany({ _id: { $in: owned.map(({ _id }) => _id) } }, { $set: { open: true } })
}

/** Reads the suspended workspaces, by an index that the accounts service creates. */
export const mongoSuspensions = (db: Db): Suspensions => {
  const { workspaces } = accountCollections(db)
  return withMappedErrors({
    suspended: async () => {
      const found = await workspaces.find({ suspended: true }, { projection: { _id: 1 } }).toArray()
      return new Set(found.map(({ _id }) => _id))
    },
  })
}
