import { matchesAddress, matchesUser, matchesWorkspace } from '@postrider/domain/accounts/operatorSearch.ts'
import { disabledChange, hasTotp } from '@postrider/domain/accounts/users.ts'
import { plainRunOf } from '@postrider/domain/letterCase.ts'
import type { StoredWorkspace } from '@postrider/ports/accounts.ts'
import type { OperatorAccounts, OperatorUser, WorkspaceQuery } from '@postrider/ports/accountsOperator.ts'
import type { Db, Filter } from 'mongodb'
import { asRead, notRemoved, type Outbox, untilUnchanged } from '../audit/outbox.ts'
import { scalar } from '../client/scalar.ts'
import { type AccountCollections, type UserDoc, userOf, type WorkspaceDoc, workspaceOf } from './documents.ts'
import { chunk, findByPlan, type SearchedDoc, searched } from './planSearch.ts'
import { openOwned } from './workspaces.ts'

/** Matches at least the texts in which `containsText` finds `text`: all, if no part of it has a single form. */
const mayContain = (text: string) => ({
  $regex: plainRunOf(text).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
  $options: 'i',
})

const olderThan = (before: string | null) => (before === null ? {} : { _id: { $lt: scalar(before) } })

/** @returns null: more than `max` */
const matchedUsers = async ({ users }: AccountCollections, text: string, max: number): Promise<string[] | null> => {
  const found = users.find({ email: mayContain(text) }, { projection: { email: 1 } }).batchSize(chunk)
  const ids = await firstOf(found, max + 1, ({ _id, email }) => (matchesAddress(text, email) ? [_id] : []))
  return ids.length > max ? null : ids
}

const textFilter = (text: string, users: readonly string[]): Filter<WorkspaceDoc> => ({
  $or: [{ _id: text.toLowerCase() }, { name: mayContain(text) }, { 'members.user': { $in: users } }],
})

/** Returns a function that decides on a document which the filter found, as a list of one workspace or none. */
const decidedBy =
  (query: WorkspaceQuery, users: ReadonlySet<string>) =>
  ({ members, ...doc }: SearchedDoc): StoredWorkspace[] => {
    const workspace = workspaceOf(doc)
    const hasMatchedMember = members.some(({ user }) => users.has(user))
    return matchesWorkspace(query, workspace, hasMatchedMember) ? [workspace] : []
  }

/** Reads documents until as many as the limit are decided for. */
const firstOf = async <Doc, Item>(
  found: AsyncIterable<Doc>,
  limit: number,
  decided: (doc: Doc) => Item[],
): Promise<Item[]> => {
  const items: Item[] = []
  for await (const doc of found) {
    items.push(...decided(doc))
    if (items.length >= limit) break
  }
  return items
}

/** Returns how many documents to read together: without a text the filter decides, else most may not match. */
const batchOf = ({ text, limit }: { text: string | null; limit: number }): number => (text === null ? limit : chunk)

/** Selects at least the workspaces that `matchesWorkspace` finds. */
const workspaceFilter = (
  { before, text, suspended, deleting }: WorkspaceQuery,
  users: readonly string[],
): Filter<WorkspaceDoc> => ({
  $and: [
    { open: true, ...notRemoved, ...olderThan(before) },
    ...(text === null ? [] : [textFilter(text, users)]),
    ...(suspended === null ? [] : [{ suspended }]),
    ...(deleting === null ? [] : [{ deletesAt: deleting ? { $gt: 0 } : null } as Filter<WorkspaceDoc>]),
  ],
})

const operatorUser = ({ _id, email, createdAt, ...doc }: UserDoc): Omit<OperatorUser, 'workspaces'> => ({
  id: _id,
  email,
  createdAt,
  lastSeenAt: doc.lastSeenAt ?? null,
  disabled: doc.disabled ?? null,
  operatorSince: doc.operatorSince ?? null,
  hasTotp: hasTotp({ totp: doc.totp ?? null }),
})

/** Adds the workspaces of each user, which are read together. */
const withWorkspaces = async ({ workspaces }: AccountCollections, found: UserDoc[]): Promise<OperatorUser[]> => {
  const ids = found.map(({ _id }) => _id)
  const homes = await workspaces
    .find({ 'members.user': { $in: ids } }, { projection: { name: 1, members: 1 } })
    .toArray()
  const joined = homes.flatMap(({ _id: id, name, members }) => members.map((member) => ({ id, name, ...member })))
  const inOrder = joined.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  return found.map((user) => ({
    ...operatorUser(user),
    workspaces: inOrder.filter((one) => one.user === user._id).map(({ id, name, role }) => ({ id, name, role })),
  }))
}

const userFilter = ({
  before,
  text,
  disabled,
  operator,
}: Parameters<OperatorAccounts['findUsers']>[0]): Filter<UserDoc> => ({
  $and: [
    { ...notRemoved, ...olderThan(before) },
    ...(text === null ? [] : [{ $or: [{ _id: text.toLowerCase() }, { email: mayContain(text) }] }]),
    ...(disabled === null ? [] : [{ 'disabled.at': disabled ? { $gt: 0 } : null } as Filter<UserDoc>]),
    ...(operator === null ? [] : [{ operatorSince: operator ? { $gt: 0 } : null } as Filter<UserDoc>]),
  ],
})

/** Opens the reads and changes of the operator. Searches read all documents: they are rare, and made by one person. */
export const accountsOperator = (db: Db, collections: AccountCollections, outbox: Outbox): OperatorAccounts => {
  const { users, sessions, workspaces } = collections
  const operatorUserOf = async (found: UserDoc | null): Promise<OperatorUser | null> =>
    found && ((await withWorkspaces(collections, [found]))[0] ?? null)
  return {
    findWorkspaces: async (query) => {
      await openOwned(collections)
      const { plan, before, limit, text, maxUsers } = query
      const matched = text === null ? [] : await matchedUsers(collections, text, maxUsers)
      if (matched === null) return 'too_many_users'
      const filter = workspaceFilter(query, matched)
      const decided = decidedBy(query, new Set(matched))
      if (plan !== null) return findByPlan({ db, workspaces }, plan, { filter, before, limit, decided })
      const found = workspaces.find<SearchedDoc>(filter, { projection: searched }).sort({ _id: -1 })
      return firstOf(found.batchSize(batchOf(query)), limit, decided)
    },
    workspacesToDelete: async (now, limit) => {
      const due = workspaces.find({ deletesAt: { $lte: now }, ...notRemoved }, { projection: { _id: 1 } })
      return (await due.sort({ deletesAt: 1 }).limit(limit).toArray()).map(({ _id }) => _id)
    },
    findUsers: async (query) => {
      const decided = (doc: UserDoc): UserDoc[] => {
        const { id, email, disabled, operatorSince } = operatorUser(doc)
        const user = { id, email, isDisabled: disabled !== null, isOperator: operatorSince !== null }
        return matchesUser(query, user) ? [doc] : []
      }
      const found = users.find(userFilter(query)).sort({ _id: -1 }).batchSize(batchOf(query))
      return withWorkspaces(collections, await firstOf(found, query.limit, decided))
    },
    findUser: async (id) => operatorUserOf(await users.findOne({ _id: scalar(id), ...notRemoved })),
    // A session that is left after a crash, or inserted at the same time, does not count: `session` states that its
    // user is disabled, and later since when sessions of the user count.
    setUserDisabled: (id, disabled, entryOf) =>
      untilUnchanged(async () => {
        const found = await users.findOne({ _id: scalar(id), ...notRemoved })
        const before = await operatorUserOf(found)
        const entry = found && before && entryOf(before, { ...before, disabled })
        if (!entry) return before
        const change = disabledChange(userOf(found), disabled, entry.at)
        const asBefore = { _id: found._id, ...asRead(found, change) }
        const changed = await outbox.update(users, asBefore, { $set: change }, [entry])
        // A session whose audit entry is not moved yet stays: the entry would be lost.
        if (changed && disabled) await sessions.deleteMany({ user: changed._id, 'outbox.0': { $exists: false } })
        return changed ? operatorUserOf(changed) : undefined
      }),
    setOperator: (id, operatorSince, entryOf) =>
      untilUnchanged(async () => {
        const found = await users.findOne({ _id: scalar(id), ...notRemoved })
        const before = await operatorUserOf(found)
        const entry = found && before && entryOf(before, { ...before, operatorSince })
        if (!entry) return before
        const asBefore = { _id: found._id, ...asRead(found, { operatorSince }) }
        // A user without the field is not in the index of operators.
        const change = operatorSince === null ? { $unset: { operatorSince: '' } } : { $set: { operatorSince } }
        const changed = await outbox.update(users, asBefore, change, [entry])
        return changed ? operatorUserOf(changed) : undefined
      }),
    touchUser: async (id, seenAt) => {
      await users.updateOne({ _id: scalar(id) }, { $max: { lastSeenAt: seenAt } })
    },
  }
}
