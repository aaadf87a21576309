import { firstMember, joinedOrLeft, type Member } from '@postrider/domain/accounts/people.ts'
import type { PeopleStore, StoredPeople, User } from '@postrider/ports/accounts.ts'
import type { Filter } from 'mongodb'
import { notRemoved, type Outbox } from '../audit/outbox.ts'
import { ignoreDuplicateKey } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { type AccountCollections, userOf, type WorkspaceDoc } from './documents.ts'

const memberOf = ({ user, role, at }: WorkspaceDoc['members'][number]): Member => ({ user, role, joinedAt: at })

export const memberDoc = ({ user, role, joinedAt: at }: Member): WorkspaceDoc['members'][number] => ({ user, role, at })

const peopleProjection = { members: 1, invitations: 1, peopleVersion: 1 } as const

const peopleOf = ({ members, invitations = [], peopleVersion = 0 }: WorkspaceDoc): StoredPeople => ({
  version: peopleVersion,
  members: members.map(memberOf),
  invitations,
})

/** Members whose sessions are read at the same time. */
const maxConcurrentReads = 50

/** Members, invitations, and the workspaces of a user. */
export const accountPeople = (collections: AccountCollections, outbox: Outbox): PeopleStore => {
  const { sessions, users, workspaces } = collections
  return {
    insertUser: ({ id, ...person }: User, audit) =>
      ignoreDuplicateKey(() => outbox.insert(users, { _id: id, ...person }, audit)),
    users: async (ids) => (await users.find({ _id: { $in: ids.map(scalar) } }).toArray()).map(userOf),
    insertWorkspace: async ({ id, ...settings }, owner, audit) => {
      const members = [memberDoc(firstMember(owner, settings))]
      await outbox.insert(workspaces, { _id: id, ...settings, members, keys: [], open: true }, audit)
    },
    people: async (workspace) => {
      const found = await workspaces.findOne({ _id: scalar(workspace) }, { projection: peopleProjection })
      return found && peopleOf(found)
    },
    changePeople: async (workspace, { from, to }, audit) => {
      // Null matches an absent field too.
      const peopleVersion = { $in: from.version === 0 ? [0, null] : [from.version] }
      const members = to.members.map(memberDoc)
      const change = { members, invitations: [...to.invitations], peopleVersion: from.version + 1 }
      const filter = { _id: scalar(workspace), peopleVersion } as Filter<WorkspaceDoc>
      const found = await outbox.update(workspaces, filter, { $set: change }, [audit], { projection: { _id: 1 } })
      if (found === null) return false
      const ended = { user: { $in: joinedOrLeft(from, to) }, workspace: scalar(workspace) }
      // The audit entry of a session would be lost with it.
      for await (const left of sessions.find({ ...ended, 'outbox.0': { $exists: true } }))
        await outbox.move(sessions, left)
      await sessions.deleteMany({ ...ended, 'outbox.0': { $exists: false } })
      return true
    },
    lastSeen: async (workspace, ids) => {
      const seen = new Map<string, number>()
      // Logins make sessions by the hundred thousand, so each member's newest one is found by an index.
      const read = async (user: string): Promise<void> => {
        const filter = { user: scalar(user), workspace: scalar(workspace), ...notRemoved }
        const newest = sessions.find(filter, { projection: { seenAt: 1 } }).sort({ seenAt: -1 })
        for (const { seenAt } of await newest.limit(1).toArray()) seen.set(user, seenAt)
      }
      for (let from = 0; from < ids.length; from += maxConcurrentReads)
        await Promise.all(ids.slice(from, from + maxConcurrentReads).map(read))
      return seen
    },
    moveSession: async (hash, { user, workspace, csrfSalt }, audit) => {
      const home = { _id: scalar(workspace), 'members.user': scalar(user) }
      if ((await workspaces.countDocuments(home, { limit: 1 })) === 0) return false
      const session = { _id: scalar(hash), user: scalar(user) }
      const change = { $set: { workspace, csrfSalt } }
      return (await outbox.update(sessions, session, change, [audit], { projection: { _id: 1 } })) !== null
    },
  }
}
