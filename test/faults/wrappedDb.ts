import type { Collection, Db, FindCursor } from 'mongodb'

/** An intercepted write. */
export type Write = {
  run(): Promise<unknown>
  /** The documents or operations of a batch; empty for a single write. */
  all: readonly unknown[]
  /** Runs a part of the batch. */
  runOnly(all: readonly unknown[]): Promise<unknown>
}

type Around = {
  write(write: Write): Promise<unknown>
  read?(run: () => Promise<unknown>): Promise<unknown>
}

const writes = new Set(
  'insertOne insertMany updateOne updateMany replaceOne deleteOne deleteMany bulkWrite findOneAndUpdate findOneAndDelete findOneAndReplace'.split(
    ' ',
  ),
)

type Call = (...given: unknown[]) => unknown

/** Returns a collection whose reads and writes pass through the given functions. */
const wrapped = <C extends Collection>(collection: C, { write, read = (run) => run() }: Around): C =>
  new Proxy(collection, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      const call: Call = (...given) => (value as Call).apply(target, given)
      if (typeof name === 'string' && writes.has(name)) {
        return (first: unknown, ...rest: unknown[]) =>
          write({
            run: async () => call(first, ...rest),
            all: Array.isArray(first) ? first : [],
            runOnly: async (some) => call(some, ...rest),
          })
      }
      if (name === 'findOne') return (...given: unknown[]) => read(async () => call(...given))
      if (name !== 'find' && name !== 'aggregate') return call
      return (...given: unknown[]) => {
        const cursor = call(...given) as FindCursor
        const toArray = cursor.toArray.bind(cursor)
        cursor.toArray = () => read(toArray) as ReturnType<typeof toArray>
        return cursor
      }
    },
  })

/** Returns the database with collections whose reads and writes pass through `around`. */
export const wrappedDb = (db: Db, around: Around): Db =>
  new Proxy(db, {
    get: (target, name) => {
      if (name === 'collection') return (of: string) => wrapped(target.collection(of), around)
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
