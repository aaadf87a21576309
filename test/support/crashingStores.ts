import type { SqliteDatabase } from '@postrider/adapters/sqlite/client/database.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Db } from 'mongodb'
import { wrappedDb } from '../faults/wrappedDb.ts'

/** Time at which a process dies: before or after its write of this number, counted from 0. */
export type CrashPoint = { write: number; isAfter: boolean }

/** A process that dies at a write. After that, nothing that it requests from its store is done. */
export type DyingProcess = {
  isDead(): boolean
  write<Result>(work: () => Result): Result
  read<Result>(work: () => Result): Result
}

const dead = (): Fault => new Fault('unavailable', 'The process is dead.', { expected: true })

export const dyingProcess = ({ write: last, isAfter }: CrashPoint): DyingProcess => {
  let writes = 0
  let isDead = false
  const read = <Result>(work: () => Result): Result => {
    if (isDead) throw dead()
    return work()
  }
  return {
    isDead: () => isDead,
    read,
    write: (work) => {
      if (writes === last) isDead = true
      if (isDead && !(isAfter && writes === last)) throw dead()
      writes += 1
      const result = work()
      if (!isDead) return result
      // The write is done, and its caller never learns of it.
      if (result instanceof Promise) {
        return result.then(() => {
          throw dead()
        }) as typeof result
      }
      throw dead()
    },
  }
}

/** Returns a database as a process sees it that dies. Each write is a transaction of its own. */
export const dyingSqlite = (db: SqliteDatabase, process: DyingProcess): SqliteDatabase => {
  let depth = 0
  const outermost =
    (write: SqliteDatabase['write']): SqliteDatabase['write'] =>
    (work) => {
      if (depth > 0) return write(work)
      return process.write(() => {
        depth += 1
        try {
          return write(work)
        } finally {
          depth -= 1
        }
      })
    }
  return {
    ...db,
    read: (work) => process.read(() => db.read(work)),
    write: outermost(db.write),
    writeOne: outermost(db.writeOne),
  }
}

/** Returns a database as a process sees it that dies. */
export const dyingMongo = (db: Db, process: DyingProcess): Db =>
  wrappedDb(db, { write: ({ run }) => process.write(run), read: (run) => process.read(run) })
