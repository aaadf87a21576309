import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SqliteDatabase } from '@postrider/adapters/sqlite/client/database.ts'
import { Fault } from '@postrider/kit/fault.ts'
import fc from 'fast-check'
import type { Db } from 'mongodb'
import { openNewDatabase } from '../../support/newDatabase.ts'

/*
 * Runs random operations on the stores of SQLite and of MongoDB, one after the other, and compares what each returns or
 * throws. The other files of this folder have the operations of one port, or of ports that share records.
 */

/** The time that the stores of a sequence see, and the number of the operation: a source of ids that both share. */
export type Moment = { now: number; step: number }

/** Returns a time that no other operation of a sequence has, if its clock is moved by whole seconds. */
export const timeOf = ({ now, step }: Moment): number => now + step

/** Returns an id that no other operation of a sequence has, and that sorts after those of earlier ones. */
export const newIdOf = (prefix: string, { step }: Moment): string => `${prefix}_${String(step).padStart(4, '0')}`

/** True in one of five operations. */
export const rarely = fc.nat({ max: 4 }).map((chosen) => chosen === 0)

type Perform<Stores, Input> = (stores: Stores, input: Input, moment: Moment) => Promise<unknown>

type Operation<Stores> = {
  input: fc.Arbitrary<unknown>
  perform: Perform<Stores, never>
  /** How often it is chosen, relative to the others. */
  weight: number
}

/** Stores of one kind of database, and operations on them. */
export type Comparison<Stores> = {
  name: string
  sqlite(db: SqliteDatabase, moment: Moment): Stores
  mongo(db: Db, moment: Moment): Stores
  operations: Readonly<Record<string, Operation<Stores>>>
  /** What the clock is moved by between operations, in milliseconds. */
  waits: readonly number[]
  /** Returns what the stores have at the end. */
  contents: Perform<Stores, undefined>
  maxOperations: number
}

type Step = [name: string, input: unknown]

/**
 * Returns a function that makes an operation from the arbitraries of its input and what it does. The result of
 * `perform` is compared: it must contain only what the port promises.
 */
export const operationsOn =
  <Stores>() =>
  <Input extends object>(
    input: { [Name in keyof Input]: fc.Arbitrary<Input[Name]> },
    perform: Perform<Stores, Input>,
    weight = 1,
  ): Operation<Stores> => ({ input: fc.record(input), perform, weight })

const start = Date.UTC(2026, 10, 28, 12)
const waitName = 'wait'

const stepsOf = <Stores>({ operations, waits, maxOperations }: Comparison<Stores>): fc.Arbitrary<Step[]> => {
  const named = Object.entries(operations).map(([name, { input, weight }]) => ({
    weight,
    arbitrary: fc.tuple(fc.constant(name), input),
  }))
  const wait = { weight: 2, arbitrary: fc.tuple(fc.constant(waitName), fc.constantFrom(...waits)) }
  return fc.array(fc.oneof(wait, ...named), { minLength: 1, maxLength: maxOperations, size: 'max' })
}

const jsonOf = (value: unknown): string => JSON.stringify(value)
const byJson = (one: unknown, other: unknown): number => (jsonOf(one) < jsonOf(other) ? -1 : 1)

/** Returns items in an order that does not depend on the store, where a port leaves the order open. */
export const inAnyOrder = <Item>(items: Iterable<Item>): unknown[] => [...items].map(plain).toSorted(byJson)

/** Returns a value with the types that both drivers have, without absent members and with sorted ones. */
export const plain = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value instanceof Map || value instanceof Set) return inAnyOrder(value)
  if (Array.isArray(value)) return value.map(plain)
  if (value === null || typeof value !== 'object') return value
  const present = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(present.map(([name, member]) => [name, plain(member)] as const).toSorted(byJson))
}

/**
 * @returns what a call returns, or the code of the Fault that it throws
 * @throws any other error: it is a defect of the store or of the operation
 */
const outcomeOf = (call: () => Promise<unknown>): Promise<{ returned: unknown } | { refused: string }> =>
  call().then(
    (value) => ({ returned: plain(value) }),
    (thrown: unknown) => {
      if (thrown instanceof Fault) return { refused: thrown.code }
      throw thrown
    },
  )

const assertSame = async (
  { sqlite, mongo }: Record<'sqlite' | 'mongo', () => Promise<unknown>>,
  where: string,
): Promise<void> => {
  const [one, other] = [await outcomeOf(sqlite), await outcomeOf(mongo)]
  assert.deepEqual(other, one, `${where}\nSQLite:  ${jsonOf(one)}\nMongoDB: ${jsonOf(other)}`)
}

/** Opens a new SQLite database for the time of a call. */
const withSqlite = async (use: (db: SqliteDatabase) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-'))
  const onFatal = (reason: unknown) => {
    throw reason
  }
  try {
    await using db = openNewDatabase({ path: join(folder, 'postrider.db'), onFatal })
    await use(db)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const runSteps = <Stores>(comparison: Comparison<Stores>, mongoDb: Db, steps: readonly Step[]): Promise<void> =>
  withSqlite(async (sqliteDb) => {
    const moment = { now: start, step: 0 }
    const stores = { sqlite: comparison.sqlite(sqliteDb, moment), mongo: comparison.mongo(mongoDb, moment) }
    const same = (perform: Perform<Stores, never>, input: unknown, where: string) =>
      assertSame(
        {
          sqlite: () => perform(stores.sqlite, input as never, moment),
          mongo: () => perform(stores.mongo, input as never, moment),
        },
        where,
      )
    for (const [index, [name, input]] of steps.entries()) {
      moment.step = index
      if (name === waitName) moment.now += Number(input)
      const { perform } = comparison.operations[name] ?? {}
      if (perform) await same(perform, input, `operation ${index}, ${name}`)
    }
    await same(comparison.contents, undefined, 'contents at the end')
  })

type RunOptions = {
  runs: number
  seed: number
  /** Returns the database of all sequences, and the collections that are to be emptied before each. */
  mongo(): Promise<{ db: Db; written: ReadonlySet<string> }>
  /** After this time a difference is not shrunk further. */
  maxMs: number
}

/** Runs random sequences, and shrinks one in which the stores differ. */
export const compareStores = async <Stores>(
  comparison: Comparison<Stores>,
  { runs, seed, mongo, maxMs }: RunOptions,
): Promise<void> => {
  const { db, written } = await mongo()
  const property = fc.asyncProperty(stepsOf(comparison), async (steps) => {
    for (const name of written) await db.collection(name).deleteMany({})
    await runSteps(comparison, db, steps)
  })
  // The smallest failure found by then is reported before mocha ends the test.
  await fc.assert(property, { seed, numRuns: runs, interruptAfterTimeLimit: maxMs })
}
