import type { AccountStore } from '@postrider/ports/accounts.ts'
import type { Db } from 'mongodb'
import { withMappedErrors } from '../client/errors.ts'
import { accountCollections } from './documents.ts'
import { accountKeys } from './keys.ts'
import { accountUsers } from './users.ts'
import { accountWorkspaces } from './workspaces.ts'

/*
 * Accounts of a cluster:
 *
 * accounts.ts    the store, put together from the parts below
 * documents.ts   the stored documents and their indexes
 * workspaces.ts  sign-up, workspaces and their members
 * users.ts       users and their sessions
 * keys.ts        API keys
 * audit.ts       the audit log, a separate store
 * suspensions.ts which workspaces are suspended, for dispatchers and intake
 */

export { accountIndexes } from './documents.ts'

/** Creates the account store on MongoDB. A workspace's document lists its members and keys, so one update decides on both. */
export const mongoAccounts = (db: Db): AccountStore => {
  const collections = accountCollections(db)
  return withMappedErrors({
    ...accountUsers(collections),
    ...accountWorkspaces(collections),
    ...accountKeys(collections),
  })
}
