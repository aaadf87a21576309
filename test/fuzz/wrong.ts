import fc from 'fast-check'
import { bodyPath, type Document, type Operation, type Parameter, type Schema } from './document.ts'
import { type Draw, oneOf } from './values.ts'

/* Values that the document does not accept, and bodies that are no JSON. */

type Json = Record<string, unknown>

const wrongValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  'x',
  'x'.repeat(2_000),
  '\ud800',
  '\u0000',
  [],
  [[]],
  ['', null],
  {},
  { a: { b: { c: 1 } } },
]

/** Returns a body with one change. It may still be valid. */
const changed = (schema: Schema, body: Json, draw: Draw): Json => {
  const names = Object.keys(schema.properties ?? {})
  const kind = draw(fc.nat(9))
  if (kind === 0 || names.length === 0)
    return { ...body, [oneOf(draw, ['bogus', 'To', 'constructorx', 'ключ', ''])]: 1 }
  const name = oneOf(draw, names)
  if (kind === 1 && (schema.required ?? []).length > 0) {
    const without = oneOf(draw, schema.required ?? [])
    return Object.fromEntries(Object.entries(body).filter(([one]) => one !== without))
  }
  const { maxLength, maxItems, maximum } = schema.properties?.[name] ?? {}
  if (kind < 5 && maxLength !== undefined) return { ...body, [name]: 'x'.repeat(maxLength + 1) }
  if (kind < 5 && maximum !== undefined) return { ...body, [name]: maximum + 1 }
  if (kind < 5 && maxItems !== undefined) {
    const items = [body[name] ?? 'x'].flat()
    return { ...body, [name]: Array.from({ length: maxItems + 1 }, () => items[0]) }
  }
  return { ...body, [name]: oneOf(draw, wrongValues) }
}

/** Returns a body that the document refuses; null: none was found. */
export const wrongBody = (operation: Operation, body: Json, document: Document, draw: Draw): unknown => {
  if (draw(fc.nat(11)) === 0) return oneOf(draw, [[], [body], 'text', 3, true, null])
  const schema = document.resolved(operation.body?.schema ?? {})
  for (let tries = 0; tries < 20; tries++) {
    const wrong = changed(schema, body, draw)
    if (document.problemsOf(bodyPath(operation), wrong) !== null) return wrong
  }
  return { ...body, bogus: 1 }
}

/** A body that is not read, with the status of its refusal. */
export type BrokenBody = { name: string; body: string | Uint8Array; headers: Record<string, string>; status: number }

const json = { 'content-type': 'application/json' }

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

/** Each level of `nested` has six bytes, and a refusal for the length of a body comes before the others. */
const deepest = (maxBytes: number): number => Math.min(5_000, Math.floor(maxBytes / 6) - 1)

/** Returns bodies that are no JSON object of UTF-8, made from a valid one. One of them is too long. */
export const brokenBodies = (body: Json, maxBytes: number): readonly BrokenBody[] =>
  allBroken(body, maxBytes).filter((one) => one.status === 413 || Buffer.byteLength(one.body) <= maxBytes)

const allBroken = (body: Json, maxBytes: number): readonly BrokenBody[] => {
  const text = JSON.stringify(body)
  const bytes = Buffer.from(text)
  const notJson = [
    text.slice(0, -1),
    `${text},`,
    `${text}x`,
    "{'a':1}",
    '{"a":NaN}',
    '{"a":01}',
    '{"a":"\u0001"}',
    '{"a":1,}',
    ' ',
  ]
  const notAccepted = [
    '{"a":1,"a":2}',
    '{"__proto__":{"a":1}}',
    '{"a":{"constructor":{"prototype":1}}}',
    nested(33),
    nested(deepest(maxBytes)),
    `[${'['.repeat(5_000)}`,
  ]
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    'application/xml',
    '',
  ]
  return [
    ...[...notJson, ...notAccepted].map((one) => ({ name: 'no JSON', body: one, headers: json, status: 400 })),
    {
      name: 'a byte order mark',
      body: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
      headers: json,
      status: 400,
    },
    { name: 'UTF-16', body: Buffer.from(text, 'utf16le'), headers: json, status: 400 },
    {
      name: 'invalid UTF-8',
      body: Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xc0, 0x80]), Buffer.from('"}')]),
      headers: json,
      status: 400,
    },
    ...types.map((type) => ({ name: 'another type', body: text, headers: { 'content-type': type }, status: 415 })),
    { name: 'an encoding', body: text, headers: { ...json, 'content-encoding': 'gzip' }, status: 415 },
    ...(maxBytes > 100_000
      ? []
      : [{ name: 'too long', body: JSON.stringify({ a: 'x'.repeat(maxBytes) }), headers: json, status: 413 }]),
  ]
}

/** Returns texts that the schema of a query parameter refuses. */
const wrongTexts = ({ schema }: Parameter): readonly string[] => {
  const { type, enum: values, pattern, format, minLength = 0, maxLength } = schema
  return [
    ...(type === 'integer' ? ['0', '101', '-1', '1.5', '1e1', 'abc', '', '٣', '99999999999999999999'] : []),
    ...(values ? ['typo', '', 'SCHEDULED', `${String(values[0])} `] : []),
    ...(pattern === undefined ? [] : ['', ' ', 'ключ!', '\u0000']),
    ...(format === 'date-time' ? ['yesterday', '2026-01-01', '2026-01-01T00:00:00', '2026-13-01T00:00:00Z', ''] : []),
    ...(minLength > 0 ? [''] : []),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
  ]
}

/** Returns a query that the document refuses; null: the operation has no parameters of a query. */
export const wrongQuery = ({ parameters }: Operation, draw: Draw): string | null => {
  const inQuery = parameters.filter((one) => one.in === 'query')
  if (inQuery.length === 0) return null
  const pair = (name: string, value: string): string => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  const texts = inQuery.flatMap((parameter) => wrongTexts(parameter).map((text) => pair(parameter.name, text)))
  const repeated = inQuery.map(({ name }) => `${pair(name, '1')}&${pair(name, '2')}`)
  return `?${oneOf(draw, [...texts, ...texts, ...repeated, 'bogus=1', '__proto__=1', 'Limit=1', 'limit[]=1'])}`
}
