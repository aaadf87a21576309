import type { SqliteDatabase } from './database.ts'

/**
 * Returns a function that returns by how much the next claim or change raises a fence. A failed commit undoes a claim or
 * change whose result the caller has already received. The raise is one more after each failed commit, so that no later
 * claim or change ever gets the same fence.
 */
export const fenceRaises = (db: Pick<SqliteDatabase, 'onFailedCommit'>): (() => number) => {
  let failedCommits = 0
  db.onFailedCommit(() => {
    failedCommits += 1
  })
  return () => 1 + failedCommits
}
