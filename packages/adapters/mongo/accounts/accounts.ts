import type { AccountStore } from '@postrider/ports/accounts.ts'
import type { Db } from 'mongodb'
import { mongoOutbox } from '../audit/outbox.ts'
import { withMappedErrors } from '../client/errors.ts'
import { accountCollections } from './documents.ts'
import { accountKeys } from './keys.ts'
import { accountsOperator } from './operator.ts'
import { accountPeople } from './people.ts'
import { accountSessions } from './sessions.ts'
import { accountWorkspaces } from './workspaces.ts'

/*
 * Accounts of a cluster:
 *
 * accounts.ts    the account store, put together from these parts
 * documents.ts   the stored documents and their indexes
 * workspaces.ts  sign-up, workspaces and their members; which workspaces are suspended, for dispatchers and intake
 * sessions.ts    sessions, and the user of an address
 * keys.ts        API keys
 * operator.ts    searches and changes of the operator
 * planSearch.ts  workspaces by their plan, which the ledger owns
 * people.ts      members, invitations, and the workspaces of a user
 *
 * Stores of other ports:
 *
 * users.ts       changes of a person's own account: address, password, second factor, all sessions
 * links.ts       one-time links in system mail
 * keyNotices.ts  which keys are to be reported as unused
 */

export { accountIndexes } from './documents.ts'

/** The collections with outboxes that the accounts service sweeps. */
export const accountOutboxes = { indexed: ['users', 'workspaces', 'sessions', 'api_keys'] } as const

/**
 * Creates the account store on MongoDB. A workspace's document lists its members and keys, so one update decides on
 * both.
 */
export const mongoAccounts = (db: Db): AccountStore => {
  const collections = accountCollections(db)
  const outbox = mongoOutbox(db)
  return withMappedErrors({
    ...accountSessions(collections, outbox),
    ...accountWorkspaces(collections, outbox),
    ...accountKeys(collections, outbox),
    ...accountsOperator(db, collections, outbox),
    ...accountPeople(collections, outbox),
  })
}
