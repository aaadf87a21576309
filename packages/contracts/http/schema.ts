import { keyModes } from '@postrider/domain/accounts/apiKey.ts'
import { invalidTime, parseTime } from '@postrider/domain/time.ts'
import { textProblem } from '@postrider/mail/text.ts'
import { z } from 'zod'

/* Helpers that the public schemas are built with. */

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Maximum number of characters of a name in a path. */
const maxNameLength = 100

type Issues = Pick<z.RefinementCtx, 'addIssue'>

type ReportedProblem = {
  code: string
  message: string
  path?: (string | number)[]
  input?: unknown
  /** Names that the object has, if the problem is an unknown field. The gateway suggests the nearest one. */
  known?: readonly string[]
}

/** Adds one problem with its own code. Checking continues, so that a response names every problem. */
export const report = (context: Issues, { code, message, path = [], input, known }: ReportedProblem): void =>
  context.addIssue({
    code: 'custom',
    message,
    path: path.map((part) => (typeof part === 'string' ? part.slice(0, maxNameLength) : part)),
    params: { code, ...(known && { known }) },
    input,
    continue: true,
  })

/** Maximum number of unknown names that a response reports: more of them are not typos, and each costs time. */
export const maxUnknownNames = 20

/**
 * An object with these fields and no others; every unknown field is reported as `unknown_field`. `null` counts as
 * absent, except where the field's own schema accepts it.
 */
export const strictObject = <Fields extends z.ZodRawShape>(fields: Fields) => {
  const known = Object.keys(fields)
  const names = new Set(known)
  const nullable = new Set(known.filter((name) => z.safeParse(fields[name] as z.ZodType, null).success))
  /** Drops nulls, and unknown fields beyond those that are reported: the checks after this must not read them all. */
  const bounded = (raw: unknown): unknown => {
    if (!isObject(raw)) return raw
    const isDropped = (name: string) => raw[name] === null && names.has(name) && !nullable.has(name)
    const given = Object.keys(raw)
    const kept = given.length > known.length + maxUnknownNames ? withFewUnknown(given) : given
    if (kept === given && !given.some(isDropped)) return raw
    return Object.fromEntries(kept.filter((name) => !isDropped(name)).map((name) => [name, raw[name]]))
  }
  const withFewUnknown = (given: readonly string[]): string[] => {
    let unknown = 0
    return given.filter((name) => names.has(name) || ++unknown <= maxUnknownNames)
  }
  const reportUnknown = (value: unknown, context: Issues): void => {
    if (!isObject(value)) return
    const unknown = Object.keys(value).filter((name) => !names.has(name))
    for (const name of unknown.slice(0, maxUnknownNames)) {
      report(context, { path: [name], code: 'unknown_field', message: 'This field is unknown.', known })
    }
  }
  // Loose, so that unknown fields reach the check; with `when`, so that it runs in addition to the checks of the
  // fields.
  const object = z
    .looseObject(fields)
    .superRefine(reportUnknown, { when: () => true })
    .meta({ additionalProperties: false })
  return z.preprocess(bounded, object as unknown as z.ZodObject<Fields>)
}

/** Returns the names of the fields of a schema, those of objects inside included. */
export const fieldNames = (schema: z.core.$ZodType, found = new Set<string>()): ReadonlySet<string> => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'object') {
    for (const [name, field] of Object.entries(def.shape)) {
      found.add(name)
      fieldNames(field, found)
    }
  } else if (def.type === 'pipe') for (const part of [def.in, def.out]) fieldNames(part, found)
  else if (def.type === 'array') fieldNames(def.element, found)
  else if ('innerType' in def) fieldNames(def.innerType, found)
  return found
}

type TooMany = { code: string; message: string }

/**
 * Returns what refuses a value with more than `max` entries or members with one problem, before the schema reads any of
 * them: each costs time. Every array and record of a request has such a bound.
 */
export const bounded =
  (kind: 'array' | 'record', max: number, tooMany: TooMany) =>
  (raw: unknown, context: Issues): unknown => {
    if (countOf(kind, raw) <= max) return raw
    report(context, tooMany)
    return z.NEVER
  }

const countOf = (kind: 'array' | 'record', raw: unknown): number => {
  if (Array.isArray(raw)) return kind === 'array' ? raw.length : 0
  return kind === 'record' && isObject(raw) ? Object.keys(raw).length : 0
}

type BoundedArrayOptions = { max: number; min?: number; tooMany?: TooMany }

/** An array of at most `max` entries. */
export const boundedArray = <Element extends z.ZodType>(
  element: Element,
  { max, min = 0, tooMany = { code: 'too_many', message: `At most ${max} entries are allowed.` } }: BoundedArrayOptions,
) => {
  const entries = z.array(element).max(max)
  return z.preprocess(bounded('array', max, tooMany), min > 0 ? entries.min(min) : entries)
}

/** The problem of a value that is null in such an object: its names are the caller's, so none is required. */
export const nullValue = { code: 'wrong_type', message: 'Values are strings; leave the name out instead of null.' }

const textOrNullProblem = z.string({ error: ({ input }) => (input === null ? nullValue.message : undefined) })

/** An object of at most `max` members with names chosen by the caller, and texts as values. */
export const boundedRecord = (max: number, tooMany: TooMany) =>
  [bounded('record', max, tooMany), z.record(z.string(), textOrNullProblem)] as const

/** A text of one line: not empty, without control characters. @param max in characters */
export const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .superRefine((text, context) => {
      // Characters have one or two UTF-16 units. A text that is longer than this is refused for its length.
      if (text.length > 2 * max) return
      const problem = textProblem(text)
      if (problem) report(context, { ...problem, input: text })
    })

/** A text of any number of lines: not empty. @param maxBytes in UTF-8 */
export const block = (maxBytes: number, limit: string) =>
  z
    .string()
    .min(1)
    .superRefine((text, context) => {
      // A UTF-16 unit has at most three bytes in UTF-8, so most texts need no measuring.
      if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return
      report(context, { code: 'too_long', message: `Must be at most ${limit}.` })
    })

/** A text in a response that has one of these values. Another release may send others, so they are only documented. */
export const oneOf = (values: readonly string[]) => z.string().meta({ enum: [...values] })

/** A time in a response. */
export const time = () => z.string().meta({ format: 'date-time', example: '2026-11-21T10:00:00.000Z' })

/** A time in a request, read as milliseconds since the epoch. @param example of the API reference */
export const instantLike = (example: string) =>
  z
    .string()
    .transform((text, context) => {
      const at = parseTime(text)
      if (at !== null) return at
      report(context, { ...invalidTime, input: text })
      return z.NEVER
    })
    .meta({ format: 'date-time', example })

/** A time in a query. */
export const instant = instantLike('2026-01-31T12:00:00Z')

/** Path parameters of an operation on one record. */
export const Id = z.object({ id: z.string().describe('The record’s id.').meta({ minLength: 1 }) })

const pageSize = 20

/** Query parameters of every list. */
export const page = {
  limit: z
    .string()
    .optional()
    .transform((text, context) => {
      if (text === undefined) return pageSize
      if (/^([1-9]\d?|100)$/.test(text)) return Number(text)
      report(context, { code: 'invalid_limit', message: 'Must be a whole number from 1 to 100.', input: text })
      return z.NEVER
    })
    .describe('Maximum number of records in a page, 1 to 100; default 20. A page also ends at 4 MiB.')
    .meta({ type: 'integer', minimum: 1, maximum: 100, default: pageSize }),
  cursor: z
    .string()
    .optional()
    .describe('Where the page begins: `next_cursor` of the previous page, with the same filters. Opaque.')
    .meta({ minLength: 1 }),
}

export const Page = z.object(page)

/** The filter of lists whose records belong to a mode. */
export const modeFilter = z
  .enum(keyModes)
  .optional()
  .describe(
    'Only records of this mode. Default: both modes for a session. A key reads its own mode only; another mode is refused.',
  )

/** Type that a builder of records returns: exactly the documented fields of their schema. */
export type RecordOf<Schema extends z.ZodObject> = z.input<z.ZodObject<Schema['shape']>>

/** A list, newest first. */
export const listOf = <Item extends z.ZodType>(item: Item, id: string) =>
  z
    .looseObject({
      object: z.literal('list'),
      data: z.array(item).describe('The records, newest first.'),
      has_more: z.boolean().describe('Whether older records follow.'),
      next_cursor: z.string().nullable().describe('Pass it as `cursor` for the next page; null on the last page.'),
    })
    .meta({ id })
