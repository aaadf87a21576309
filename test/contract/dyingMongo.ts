import type { Collection, Db } from 'mongodb'

const writeNames = new Set(['insertOne', 'updateOne', 'updateMany', 'replaceOne', 'deleteOne', 'deleteMany'])
const deciding = (name: string | symbol): boolean => writeNames.has(String(name)) || name === 'findOneAndUpdate'

/** The database as a process has it that dies after so many writes: nothing it asks for afterwards is done. */
export const dyingMongo = (db: Db, writes: number): Db => {
  let left = writes
  const method =
    (target: object, name: string | symbol, work: (...given: unknown[]) => unknown) =>
    (...given: unknown[]) => {
      if (left < 0 || (deciding(name) && left-- === 0)) throw new Error('the process died')
      return work.apply(target, given)
    }
  const dying = (collection: Collection): Collection =>
    new Proxy(collection, {
      get: (target, name) => {
        const found: unknown = Reflect.get(target, name, target)
        return typeof found === 'function' ? method(target, name, found as (...given: unknown[]) => unknown) : found
      },
    })
  return new Proxy(db, {
    get: (target, name) =>
      name === 'collection' ? (of: string) => dying(target.collection(of)) : Reflect.get(target, name, target),
  })
}
