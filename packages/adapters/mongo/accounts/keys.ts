import { keySettings } from '@postrider/domain/accounts/keyRules.ts'
import type { AccountStore, KeyRoll, StoredKey } from '@postrider/ports/accounts.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import type { Filter } from 'mongodb'
import { asRead, type Outbox, untilUnchanged } from '../audit/outbox.ts'
import { scalar } from '../client/scalar.ts'
import {
  type AccountCollections,
  type BareWorkspaceDoc,
  type KeyDoc,
  keyDoc,
  keyOf,
  withoutLists,
  workspaceOf,
} from './documents.ts'

type Keys = Pick<AccountStore, 'insertKey' | 'keyByHash' | 'key' | 'listKeys' | 'changeKey' | 'rollKey' | 'touchKey'>

type NewKey = { key: StoredKey; max: number; audit: AuditEntry }

/** Adds the key's id to its workspace if that has fewer than `max`. @returns whether it did */
const listKey = async ({ workspaces }: AccountCollections, outbox: Outbox, { key, max, audit }: NewKey) => {
  const { id, workspace } = key
  if (max < 1) return false
  const withRoom = { _id: workspace, [`keys.${max - 1}`]: { $exists: false } }
  const projection = { _id: 1 }
  return (await outbox.update(workspaces, withRoom, { $addToSet: { keys: id } }, [audit], { projection })) !== null
}

const listedIds = async ({ workspaces }: AccountCollections, workspace: string): Promise<string[]> => {
  const found = await workspaces.findOne({ _id: scalar(workspace) }, { projection: { keys: 1 } })
  return found?.keys ?? []
}

/** Removes revoked keys that a crash left in the workspace's list. @returns whether there were any */
const unlistRevoked = async (collections: AccountCollections, workspace: string): Promise<boolean> => {
  const ids = await listedIds(collections, workspace)
  const revoked = await collections.keys.find({ _id: { $in: ids }, revoked: true }).toArray()
  if (revoked.length === 0) return false
  for (const key of revoked) await replaceBySuccessor(collections, key)
  const $in = revoked.map(({ _id }) => _id)
  await collections.workspaces.updateOne({ _id: workspace }, { $pull: { keys: { $in } } })
  return true
}

/**
 * Writes the key, then adds its id to the workspace's list, guarded by the list's length; that update decides, and has
 * the audit entry. A crash before it leaves a key that no list contains and whose secret was not returned, so it uses
 * no slot. A revocation writes the key first too, so that it takes effect immediately; if a crash leaves the id in the
 * list, the next insertion that finds the list full removes it.
 */
const insertKey = async (collections: AccountCollections, outbox: Outbox, fresh: NewKey): Promise<boolean> => {
  const { key } = fresh
  await collections.keys.insertOne(keyDoc(key))
  if (await listKey(collections, outbox, fresh)) return true
  if ((await unlistRevoked(collections, key.workspace)) && (await listKey(collections, outbox, fresh))) return true
  await collections.keys.deleteOne({ _id: key.id })
  return false
}

/** Replaces a key by its successor in the list of its workspace, if that has not happened. */
const replaceBySuccessor = async (
  { workspaces }: AccountCollections,
  { _id, workspace, rolledTo }: KeyDoc,
): Promise<void> => {
  if (rolledTo) await workspaces.updateOne({ _id: workspace, keys: _id }, { $set: { 'keys.$': rolledTo } })
}

/** Returns a filter for a key with the settings that were read; documents of release 0.1 have no `recipients`. */
const asGiven = (key: StoredKey) => ({
  ...{ _id: scalar(key.id), workspace: scalar(key.workspace), ...keySettings(key) },
  recipients: key.recipients.length === 0 ? { $in: [[], null] } : key.recipients,
})

/**
 * Writes the successor, then the old key, guarded by its state; that update decides, and has the audit entry. A crash
 * before it leaves a key that no list contains and whose secret was not returned. After it the successor replaces the
 * old key in the workspace's list; if a crash prevents that, the next list does it. Replaced keys are in no list and
 * are found by `rolledTo`.
 */
const rollKey = async (
  collections: AccountCollections,
  outbox: Outbox,
  { old, successor, expiresAt }: KeyRoll,
  audit: AuditEntry,
): Promise<boolean> => {
  const { keys } = collections
  await keys.insertOne(keyDoc(successor))
  const asBefore = { ...asGiven(old), revoked: false, rolledTo: null } as Filter<KeyDoc>
  const replaced = await outbox.update(keys, asBefore, { $set: { rolledTo: successor.id, expiresAt } }, [audit])
  if (replaced) await replaceBySuccessor(collections, replaced)
  else await keys.deleteOne({ _id: successor.id })
  return replaced !== null
}

const listKeys = async (collections: AccountCollections, workspace: string, limit: number): Promise<StoredKey[]> => {
  const newestFirst = { _id: -1 } as const
  const withSuccessor = { rolledTo: { $gt: '' } } as const
  let ids = await listedIds(collections, workspace)
  const late = await collections.keys.find({ _id: { $in: ids }, ...withSuccessor }).toArray()
  for (const key of late) await replaceBySuccessor(collections, key)
  if (late.length > 0) ids = await listedIds(collections, workspace)
  const replaced = await collections.keys.find({ workspace, revoked: false, ...withSuccessor }).toArray()
  const shown = [...ids, ...replaced.map(({ _id }) => _id)]
  const valid = await collections.keys
    .find({ _id: { $in: shown }, revoked: false })
    .sort(newestFirst)
    .limit(limit)
    .toArray()
  const room = limit - valid.length
  if (room === 0) return valid.map(keyOf)
  const revoked = collections.keys.find({ workspace, revoked: true }).sort(newestFirst).limit(room)
  return [...valid, ...(await revoked.toArray())].map(keyOf)
}

/** API keys. */
export const accountKeys = (collections: AccountCollections, outbox: Outbox): Keys => {
  const { keys, workspaces } = collections
  const byId = (workspace: string, id: string) => ({ _id: scalar(id), workspace: scalar(workspace) })
  const find = async (workspace: string, id: string) => {
    const found = await keys.findOne(byId(workspace, id))
    return found && keyOf(found)
  }
  return {
    insertKey: (key, max, audit) => insertKey(collections, outbox, { key, max, audit }),
    keyByHash: async (hash) => {
      const found = await keys.findOne({ hash: scalar(hash) })
      const filter = { _id: found?.workspace ?? '' }
      const workspace = found && (await workspaces.findOne<BareWorkspaceDoc>(filter, { projection: withoutLists }))
      return found && workspace ? { key: keyOf(found), workspace: workspaceOf(workspace) } : null
    },
    key: find,
    listKeys: (workspace, limit) => listKeys(collections, scalar(workspace), limit),
    changeKey: (workspace, id, change, entryOf) =>
      untilUnchanged(async () => {
        const found = await keys.findOne(byId(workspace, id))
        const before = found && keyOf(found)
        const entry = before && entryOf(before, { ...before, ...change })
        if (!entry) return before
        const revoked = change.revokedAt === undefined ? null : { revoked: true }
        const asBefore = { ...byId(workspace, id), ...asRead(found, change) }
        const changed = await outbox.update(keys, asBefore, { $set: { ...change, ...revoked } }, [entry])
        if (changed && revoked) {
          await replaceBySuccessor(collections, changed)
          await workspaces.updateOne({ _id: changed.workspace }, { $pull: { keys: id } })
        }
        return changed ? keyOf(changed) : undefined
      }),
    rollKey: (roll, audit) => rollKey(collections, outbox, roll, audit),
    touchKey: async (id, usedAt, usedFrom) => {
      const withEarlierUse = { _id: scalar(id), $or: [{ lastUsedAt: null }, { lastUsedAt: { $lt: usedAt } }] }
      await keys.updateOne(withEarlierUse, { $set: { lastUsedAt: usedAt, lastUsedFrom: usedFrom } })
    },
  }
}
