import type { AccountStore } from '@postrider/ports/accounts.ts'
import type { Db } from 'mongodb'
import { accountCollections } from './accountDocs.ts'
import { accountKeys } from './accountKeys.ts'
import { accountOwners } from './accountOwners.ts'
import { accountSessions } from './accountSessions.ts'
import { accountWorkspaces } from './accountWorkspaces.ts'
import { reaching } from './connect.ts'

export { accountIndexes } from './accountDocs.ts'

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
