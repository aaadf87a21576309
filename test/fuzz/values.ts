import fc from 'fast-check'
import type { Document, Schema } from './document.ts'

/** Returns a value of an arbitrary. All values of a request come from one seed. */
export type Draw = <T>(arbitrary: fc.Arbitrary<T>) => T

/** Returns the source of the values of one request. */
export const drawFrom = (seed: number): Draw => {
  const [values] = fc.sample(fc.gen(), { seed, numRuns: 1 })
  if (!values) throw new Error('no values')
  return (arbitrary) => values(() => arbitrary)
}

/** Returns whether an event of this probability happens. */
export const happens = (draw: Draw, probability: number): boolean => draw(fc.nat({ max: 9_999 })) < probability * 10_000

export const oneOf = <T>(draw: Draw, values: readonly T[]): T => draw(fc.constantFrom(...values))

/** Longer texts only cost time. */
const maxTextLength = 1_100

/** Number of code points that are surrogates, and thus no characters, and the first of them. */
const [surrogates, firstSurrogate] = [0x800, 0xd800]
/** Any character. The unit `binary` of fast-check is the same, but lists all of them in a Map before its first text. */
const anyCharacter = fc.nat({ max: 0x10ffff - surrogates }).map(
  (index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates),
  (character) => {
    const [{ length }, code] = [[...String(character)], String(character).codePointAt(0)]
    if (length !== 1 || code === undefined) throw new Error('not one character')
    return code < firstSurrogate ? code : code - surrogates
  },
)

/** Text of all planes, with controls, marks and direction signs. */
const anyText = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ minLength, maxLength }),
    fc.string({ unit: anyCharacter, minLength, maxLength }).filter((text) => [...text].length <= maxLength),
    fc
      .constantFrom('', ' ', '\u0000', '\r\nBcc: a@example.com', '\u202eabc', '\u{1f9f9}', 'İ', '../..', '{{name}}')
      .map((text) => text.padEnd(minLength, 'x').slice(0, maxLength)),
  )

const textOf = ({ minLength = 0, maxLength, pattern, format }: Schema): fc.Arbitrary<string> => {
  if (format === 'date-time') {
    const min = new Date('2020-01-01T00:00:00Z')
    const max = new Date('2035-01-01T00:00:00Z')
    return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString())
  }
  if (pattern !== undefined) {
    const max = maxLength ?? maxTextLength
    return fc.stringMatching(new RegExp(pattern)).filter((text) => text.length >= minLength && text.length <= max)
  }
  const usual = Math.max(minLength, Math.min(maxLength ?? 24, 24))
  const texts = [anyText(minLength, usual)]
  if (maxLength !== undefined && maxLength <= maxTextLength) texts.push(anyText(maxLength, maxLength))
  return fc.oneof(...texts)
}

const numberOf = (schema: Schema, isWhole: boolean): fc.Arbitrary<number> => {
  const { exclusiveMinimum } = schema
  const min = schema.minimum ?? (exclusiveMinimum === undefined ? -1_000_000 : exclusiveMinimum + 0.5)
  const max = schema.maximum ?? 1_000_000
  const bounds = [min, max].filter((one) => Number.isSafeInteger(one))
  return fc.oneof(
    isWhole
      ? fc.integer({ min: Math.max(min, -(2 ** 31)), max: Math.min(max, 2 ** 31 - 1) })
      : fc.double({ min, max, noNaN: true }),
    fc.constantFrom(...(bounds.length > 0 ? bounds : [1])),
  )
}

const otherNames = fc.stringMatching(/^[A-Za-z_-][A-Za-z0-9_-]{0,20}$/)

const objectOf = (schema: Schema, document: Document): fc.Arbitrary<unknown> => {
  const { properties = {}, required = [], additionalProperties: others } = schema
  const named = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, validValue(one, document)]))
  const fields = fc.record(named, { requiredKeys: required })
  if (others === false || others === undefined) return fields
  const extra = others === true ? fc.jsonValue({ maxDepth: 2 }) : validValue(others, document)
  return fc
    .tuple(fields, fc.dictionary(otherNames, extra, { maxKeys: 4 }))
    .map(([one, other]) => ({ ...other, ...one }))
}

const byType = (type: string, schema: Schema, document: Document): fc.Arbitrary<unknown> => {
  if (type === 'string') return textOf(schema)
  if (type === 'integer' || type === 'number') return numberOf(schema, type === 'integer')
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'object') return objectOf(schema, document)
  const { minItems: minLength = 0, maxItems: maxLength } = schema
  const max = Math.min(maxLength ?? 4, Math.max(minLength, 4))
  return fc.array(validValue(schema.items ?? {}, document), { minLength, maxLength: max })
}

/** A text's arbitrary costs much more to make than a value of it. */
const known = new WeakMap<Schema, fc.Arbitrary<unknown>>()

/** Returns values that a schema accepts. They may still be refused for what they mean. */
export const validValue = (given: Schema, document: Document): fc.Arbitrary<unknown> => {
  const schema = document.resolved(given)
  const values = known.get(schema) ?? valuesOf(schema, document)
  known.set(schema, values)
  return values
}

const valuesOf = (schema: Schema, document: Document): fc.Arbitrary<unknown> => {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => validValue(one, document)))
  if (schema.type === undefined) return fc.jsonValue({ maxDepth: 2 })
  return fc.oneof(...[schema.type].flat().map((type) => byType(type, schema, document)))
}
