import type { AccountStore, StoredKey } from '@postrider/ports/accounts.ts'
import { scalar } from '../client/scalar.ts'
import {
  type AccountCollections,
  type BareWorkspaceDoc,
  keyDoc,
  keyOf,
  withoutLists,
  workspaceOf,
} from './documents.ts'

type Keys = Pick<AccountStore, 'insertKey' | 'keyByHash' | 'key' | 'listKeys' | 'changeKey' | 'touchKey'>

/** Adds the key's id to its workspace if that has fewer than `most`. @returns whether it did */
const listKey = async ({ workspaces }: AccountCollections, { id, workspace }: StoredKey, most: number) => {
  if (most < 1) return false
  const hasRoom = { _id: workspace, [`keys.${most - 1}`]: { $exists: false } }
  return (await workspaces.updateOne(hasRoom, { $addToSet: { keys: id } })).matchedCount === 1
}

const listedIds = async ({ workspaces }: AccountCollections, workspace: string): Promise<string[]> => {
  const found = await workspaces.findOne({ _id: scalar(workspace) }, { projection: { keys: 1 } })
  return found?.keys ?? []
}

/** Removes revoked keys that a crash left in the workspace's list. @returns whether there were any */
const unlistRevoked = async (collections: AccountCollections, workspace: string): Promise<boolean> => {
  const ids = await listedIds(collections, workspace)
  const filter = { _id: { $in: ids }, revoked: true }
  const revoked = await collections.keys.find(filter, { projection: { _id: 1 } }).toArray()
  if (revoked.length === 0) return false
  const $in = revoked.map(({ _id }) => _id)
  await collections.workspaces.updateOne({ _id: workspace }, { $pull: { keys: { $in } } })
  return true
}

/**
 * Writes the key, then adds its id to the workspace's list, guarded by the list's length; that update decides. A crash
 * before it leaves a key that no list contains and whose secret was not returned, so it uses no place. A revocation
 * writes the key first too, so that it takes effect at once; if a crash leaves the id in the list, the next insertion
 * that finds no room removes it.
 */
const insertKey = async (collections: AccountCollections, key: StoredKey, most: number): Promise<boolean> => {
  await collections.keys.insertOne(keyDoc(key))
  if (await listKey(collections, key, most)) return true
  if ((await unlistRevoked(collections, key.workspace)) && (await listKey(collections, key, most))) return true
  await collections.keys.deleteOne({ _id: key.id })
  return false
}

const listKeys = async (collections: AccountCollections, workspace: string, limit: number): Promise<StoredKey[]> => {
  const ids = await listedIds(collections, workspace)
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

/** API keys. */
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
      const workspace = found && (await workspaces.findOne<BareWorkspaceDoc>(filter, { projection: withoutLists }))
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
