import type { Db } from 'mongodb'
import { wrappedDb } from '../faults/wrappedDb.ts'

/** The database as a process has it that dies after so many writes: nothing it asks for afterwards is done. */
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
