import type { AccountStore } from '@postrider/ports/accounts.ts'
import type { Db } from 'mongodb'
import { reaching } from '../client/connect.ts'
import { accountCollections } from './docs.ts'
import { accountKeys } from './keys.ts'
import { accountOwners } from './owners.ts'
import { accountSessions } from './sessions.ts'
import { accountWorkspaces } from './workspaces.ts'

export { accountIndexes } from './docs.ts'

/** Accounts in MongoDB. A workspace's document holds its members and which keys it has, so one update decides on both. */
export const mongoAccounts = (db: Db): AccountStore => {
  const collections = accountCollections(db)
  return reaching({
    ...accountOwners(collections),
    ...accountSessions(collections),
    ...accountWorkspaces(collections),
    ...accountKeys(collections),
  })
}
