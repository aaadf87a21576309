import assert from 'node:assert/strict'
import { bounded, boundedArray, boundedRecord, strictObject } from '@postrider/contracts/http/schema.ts'
import { BatchFrame } from '@postrider/contracts/http/sendBatch.ts'
import { z } from 'zod'
import { routes } from './routes.ts'

type Schema = z.core.$ZodType

/** More entries than any array or record of a request may have. */
const longCount = 10_000
const long = {
  array: Array(longCount).fill(1),
  record: Object.fromEntries(Array(longCount).fill(1).entries()),
}

/**
 * Returns how many entries or members of a long value a schema reads before it refuses the value; infinity: it does not
 * refuse it.
 */
const readsOfLong = (schema: Schema, kind: 'array' | 'record'): number => {
  let reads = 0
  const watched = new Proxy(long[kind], {
    get: (target, name) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1
      return Reflect.get(target, name)
    },
  })
  const { success, error } = z.safeParse(schema, watched)
  return success || error.issues.length !== 1 ? Number.POSITIVE_INFINITY : reads
}

/**
 * Returns the paths of arrays and records whose entries a request schema reads before it counts them, and of schemas
 * that contain themselves.
 * @param guard the schema that reads the value at this path first, if it is a function
 */
const uncountedIn = (schema: Schema, path: string, guard: Schema | null = null): string[] => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'array' || def.type === 'record') {
    const isCounted = guard !== null && readsOfLong(guard, def.type) === 0
    const inside =
      def.type === 'array' ? uncountedIn(def.element, `${path}[]`) : uncountedIn(def.valueType, `${path}{}`)
    return isCounted ? inside : [path, ...inside]
  }
  if (def.type === 'object')
    return Object.entries(def.shape).flatMap(([name, field]) => uncountedIn(field, `${path}.${name}`))
  if (def.type === 'pipe') {
    const isFunction = (def.in as z.core.$ZodTypes)._zod.def.type === 'transform'
    return [def.in, def.out].flatMap((part) => uncountedIn(part, path, isFunction ? schema : guard))
  }
  if (def.type === 'union') return def.options.flatMap((option) => uncountedIn(option, path))
  if (['map', 'set', 'tuple', 'intersection', 'lazy'].includes(def.type)) return [path]
  return 'innerType' in def ? uncountedIn(def.innerType, path, guard) : []
}

const tooMany = { code: 'too_many', message: 'Too many.' }

// Regression: the lists of an API key were read before they were counted, and blocked the process for up to 660 ms.
describe('request schemas', () => {
  it('count the entries of each array and record before they read one', () => {
    const schemas = routes.flatMap(({ name, body, query, params }) =>
      [body, query, params].flatMap((schema) => (schema ? [[name, schema] as const] : [])),
    )
    const found = [...schemas, ['batch frame', BatchFrame] as const].flatMap(([name, schema]) =>
      uncountedIn(schema, name),
    )
    assert.deepEqual(found, [])
  })

  const planted: [name: string, field: z.ZodType, found: string[]][] = [
    ['an array', z.array(z.string()).max(3), ['x.a']],
    ['an optional array', z.array(z.string()).optional(), ['x.a']],
    ['a record', z.record(z.string(), z.string()), ['x.a']],
    ['a set', z.set(z.string()), ['x.a']],
    ['a schema that contains itself', z.lazy(() => z.string()), ['x.a']],
    ['an array that a function reads first', z.preprocess((raw) => raw, z.array(z.string())), ['x.a']],
    ['an array in an object', strictObject({ b: z.array(z.string()) }), ['x.a.b']],
    ['an array in an array', boundedArray(z.array(z.string()), { max: 3 }), ['x.a[]']],
    ['an array in a union', z.union([z.string(), z.array(z.string())]), ['x.a']],
    ['an array before a transformation', z.array(z.string()).transform((texts) => texts.join()), ['x.a']],
    [
      'a record that is counted as an array',
      z.preprocess(bounded('array', 3, tooMany), z.record(z.string(), z.string())),
      ['x.a'],
    ],
    ['a bounded array', boundedArray(z.string(), { max: 3 }), []],
    ['an optional bounded array', boundedArray(z.string(), { max: 3 }).optional().describe('d'), []],
    ['a bounded record', z.preprocess(...boundedRecord(3, tooMany)), []],
  ]
  for (const [name, field, found] of planted) {
    const verb = found.length === 0 ? 'ignores' : 'finds'
    it(`the search ${verb} ${name}`, () => assert.deepEqual(uncountedIn(strictObject({ a: field }), 'x'), found))
  }
})
