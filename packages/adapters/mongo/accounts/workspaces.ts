import type { AccountStore } from '@postrider/ports/accounts.ts'
import { scalar } from '../client/scalar.ts'
import { type AccountCollections, type BareWorkspaceDoc, workspaceOf, workspaceOnly } from './docs.ts'
import { openKept } from './owners.ts'

type Workspaces = Pick<AccountStore, 'workspace' | 'changeWorkspace' | 'listWorkspaces'>

export const accountWorkspaces = (collections: AccountCollections): Workspaces => {
  const { workspaces } = collections
  const projection = workspaceOnly
  const find = async (id: string) => {
    const found = await workspaces.findOne<BareWorkspaceDoc>({ _id: scalar(id) }, { projection })
    return found && workspaceOf(found)
  }
  return {
    workspace: find,
    changeWorkspace: async (id, change) => {
      if (Object.keys(change).length === 0) return find(id)
      const options = { projection, returnDocument: 'after' } as const
      const changed = await workspaces.findOneAndUpdate({ _id: scalar(id) }, { $set: change }, options)
      return changed && workspaceOf(changed)
    },
    listWorkspaces: async (before, limit) => {
      await openKept(collections)
      const filter = before === null ? { open: true } : { open: true, _id: { $lt: scalar(before) } }
      const found = workspaces.find<BareWorkspaceDoc>(filter, { projection }).sort({ _id: -1 }).limit(limit)
      return (await found.toArray()).map(workspaceOf)
    },
  }
}
