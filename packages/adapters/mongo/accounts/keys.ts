import type { AccountStore, StoredKey } from '@postrider/ports/accounts.ts'
import { scalar } from '../client/scalar.ts'
import { type AccountCollections, type BareWorkspaceDoc, keyDoc, keyOf, workspaceOf, workspaceOnly } from './docs.ts'

type Keys = Pick<AccountStore, 'insertKey' | 'keyByHash' | 'key' | 'listKeys' | 'changeKey' | 'touchKey'>

/** Puts the key's id among those of its workspace, where fewer than `most` are. */
const count = async ({ workspaces }: AccountCollections, { id, workspace }: StoredKey, most: number) => {
  if (most < 1) return false
  const room = { _id: workspace, [`keys.${most - 1}`]: { $exists: false } }
  return (await workspaces.updateOne(room, { $addToSet: { keys: id } })).matchedCount === 1
}

const countedIds = async ({ workspaces }: AccountCollections, workspace: string): Promise<string[]> => {
  const found = await workspaces.findOne({ _id: scalar(workspace) }, { projection: { keys: 1 } })
  return found?.keys ?? []
}

/** Takes revoked keys out of the count, where a crash left them in it. @returns whether there were any */
const uncountRevoked = async (collections: AccountCollections, workspace: string): Promise<boolean> => {
  const ids = await countedIds(collections, workspace)
  const filter = { _id: { $in: ids }, revoked: true }
  const revoked = await collections.keys.find(filter, { projection: { _id: 1 } }).toArray()
  if (revoked.length === 0) return false
  const gone = revoked.map(({ _id }) => _id)
  await collections.workspaces.updateOne({ _id: workspace }, { $pull: { keys: { $in: gone } } })
  return true
}

/**
 * The key is written first; what decides is the update that puts its id into the workspace's list of keys, guarded by
 * that list's length. A crash before it leaves a key that is in no list and whose secret was told to no one; no place
 * is taken. Revoking goes the other way round – the key, then the list – so that it holds at once; the place that a
 * crash in between leaves taken is found when it is needed.
 */
const insertKey = async (collections: AccountCollections, key: StoredKey, most: number): Promise<boolean> => {
  await collections.keys.insertOne(keyDoc(key))
  if (await count(collections, key, most)) return true
  const again = await uncountRevoked(collections, key.workspace)
  if (again && (await count(collections, key, most))) return true
  await collections.keys.deleteOne({ _id: key.id })
  return false
}

const listKeys = async (collections: AccountCollections, workspace: string, limit: number): Promise<StoredKey[]> => {
  const ids = await countedIds(collections, workspace)
  const newestFirst = { _id: -1 } as const
  const valid = await collections.keys
    .find({ _id: { $in: ids }, revoked: false })
    .sort(newestFirst)
    .limit(limit)
    .toArray()
  const room = limit - valid.length
  if (room === 0) return valid.map(keyOf)
  const revoked = collections.keys.find({ workspace, revoked: true }).sort(newestFirst).limit(room)
  return [...valid, ...(await revoked.toArray())].map(keyOf)
}

export const accountKeys = (collections: AccountCollections): Keys => {
  const { keys, workspaces } = collections
  const one = (workspace: string, id: string) => ({ _id: scalar(id), workspace: scalar(workspace) })
  const find = async (workspace: string, id: string) => {
    const found = await keys.findOne(one(workspace, id))
    return found && keyOf(found)
  }
  return {
    insertKey: (key, most) => insertKey(collections, key, most),
    keyByHash: async (hash) => {
      const found = await keys.findOne({ hash: scalar(hash) })
      const filter = { _id: found?.workspace ?? '' }
      const workspace = found && (await workspaces.findOne<BareWorkspaceDoc>(filter, { projection: workspaceOnly }))
      return found && workspace ? { key: keyOf(found), workspace: workspaceOf(workspace) } : null
    },
    key: find,
    listKeys: (workspace, limit) => listKeys(collections, scalar(workspace), limit),
    changeKey: async (workspace, id, change) => {
      if (Object.keys(change).length === 0) return find(workspace, id)
      const revoked = change.revokedAt === undefined ? null : { revoked: true }
      const options = { returnDocument: 'after' } as const
      const changed = await keys.findOneAndUpdate(one(workspace, id), { $set: { ...change, ...revoked } }, options)
      if (changed && revoked) await workspaces.updateOne({ _id: changed.workspace }, { $pull: { keys: id } })
      return changed && keyOf(changed)
    },
    touchKey: async (id, usedAt) => {
      await keys.updateOne({ _id: scalar(id) }, { $max: { lastUsedAt: usedAt } })
    },
  }
}
