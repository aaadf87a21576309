import type { SqliteDatabase } from '@postrider/adapters/sqlite/client/database.ts'
import type { Db } from 'mongodb'
import { wrappedDb } from '../faults/wrappedDb.ts'

/**
 * Returns the database whose statements fail from the given write on: the write that they belong to is undone.
 * @param onDeath called for each write that fails
 */
export const dyingSqlite = (db: SqliteDatabase, writes: number, onDeath = (): void => {}): SqliteDatabase => {
  let left = writes
  const isWrite = (sql: string): boolean => /^\s*(INSERT|UPDATE|DELETE)/i.test(sql)
  return {
    ...db,
    prepare: (sql) =>
      new Proxy(db.prepare(sql), {
        get: (statement, name) => {
          const value: unknown = Reflect.get(statement, name)
          if (typeof value !== 'function') return value
          return (...given: unknown[]) => {
            if (isWrite(sql) && left-- <= 0) throw death(onDeath)
            return value.apply(statement, given)
          }
        },
      }),
  }
}

/**
 * Returns the database as a process sees it that dies at the given write: every later call fails.
 * @param onDeath called for each call that fails
 */
export const dyingMongo = (db: Db, writes: number, onDeath = (): void => {}): Db => {
  let left = writes
  const die = (): never => {
    throw death(onDeath)
  }
  return wrappedDb(db, {
    write: ({ run }) => (left < 0 || left-- === 0 ? die() : run()),
    read: (run) => (left < 0 ? die() : run()),
  })
}

const death = (onDeath: () => void): Error => {
  onDeath()
  return new Error('the process died')
}
