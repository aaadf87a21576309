import type { Db } from 'mongodb'
import { wrappedDb } from '../faults/wrappedDb.ts'

/** Returns the database as seen by a process that dies after this many writes: every later call fails. */
export const dyingMongo = (db: Db, writes: number): Db => {
  let left = writes
  const die = (): never => {
    throw new Error('the process died')
  }
  return wrappedDb(db, {
    write: ({ run }) => (left < 0 || left-- === 0 ? die() : run()),
    read: (run) => (left < 0 ? die() : run()),
  })
}
