import { nullValue } from '@postrider/contracts/http/schema.ts'
import { maxProblems, type Problem } from '@postrider/kit/fault.ts'
import { emptyText, tooLong } from '@postrider/mail/problemTexts.ts'
import type { z } from 'zod'
import { unknownNameMessage } from '../suggestions/nameSuggestions.ts'
import { valueSuggestion } from '../suggestions/valueSuggestions.ts'

type Issue = z.core.$ZodIssue
type Described = { code: string; message: string }

/**
 * Returns the problems of a request with their paths, at most `maxProblems`.
 * @param raw the value as received, which distinguishes a missing value from a wrong one
 */
export const zodProblems = (error: z.ZodError, raw: unknown): Problem[] =>
  error.issues
    .slice(0, maxProblems)
    .map((issue) => ({ path: pathText(issue.path), ...describe(issue, valueAt(raw, issue.path)) }))

const plainName = /^[A-Za-z_][A-Za-z0-9_-]*$/

/** Writes a path: `to[3]`, `attachments[0].filename`, `headers["X:Y"]`. */
const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    const name = String(part).slice(0, 100)
    if (!plainName.test(name)) return `${text}[${JSON.stringify(name)}]`
    return text === '' ? name : `${text}.${name}`
  }, '')

const valueAt = (raw: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[part] : value,
    raw,
  )

const describe = (issue: Issue, value: unknown): Described => {
  if (issue.code === 'custom') return ownProblem(issue)
  if (issue.code === 'invalid_type' && issue.message === nullValue.message) return nullValue
  // A null field counts as absent; a null entry of an array is wrong.
  if (value === undefined || (value === null && typeof issue.path.at(-1) === 'string'))
    return { code: 'missing', message: 'This field is required.' }
  if (issue.code === 'too_big') return tooBig(issue)
  if (issue.code === 'too_small') return tooSmall(issue, value)
  if (issue.code === 'invalid_type') return wrongType(kinds[issue.expected] ?? issue.expected, value, issue.path)
  if (issue.code === 'invalid_value') return notOneOf(issue.values, value)
  if (issue.code === 'invalid_union') return { code: 'wrong_type', message: issue.message }
  return { code: 'invalid_value', message: issue.message }
}

/** A problem that our own schemas reported: see `report` and `strictObject`. */
const ownProblem = ({ params, message, path }: Extract<Issue, { code: 'custom' }>): Described => {
  const known: unknown = params?.['known']
  if (Array.isArray(known)) return { code: 'unknown_field', message: unknownNameMessage(String(path.at(-1)), known) }
  const code: unknown = params?.['code']
  return { code: typeof code === 'string' ? code : 'invalid_value', message }
}

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return kinds[typeof value] ?? typeof value
}

const wrongType = (wanted: string, value: unknown, path: readonly PropertyKey[]): Described => {
  const got = typeOf(value)
  if (got === wanted) return { code: 'wrong_type', message: `Must be ${wanted}.` }
  return {
    code: 'wrong_type',
    message: `Must be ${wanted}, not ${got}${valueSuggestion(wanted, got, { path, value })}.`,
  }
}

const notOneOf = (values: readonly unknown[], value: unknown): Described => {
  const allowed = values.map((one) => JSON.stringify(one)).join(', ')
  const message = values.length === 1 ? `Must be ${allowed}.` : `Must be one of ${allowed}.`
  return typeof value === typeof values[0] ? { code: 'invalid_value', message } : { code: 'wrong_type', message }
}

const units: Record<string, string> = { string: ' characters', array: ' entries' }

const tooBig = (issue: Extract<Issue, { code: 'too_big' }>): Described => {
  const unit = units[issue.origin]
  if (unit === undefined) return { code: 'too_large', message: `Must be at most ${issue.maximum}.` }
  if (issue.origin === 'string') return tooLong(Number(issue.maximum))
  return { code: 'too_many', message: `At most ${issue.maximum}${unit} are allowed.` }
}

const tooSmall = (issue: Extract<Issue, { code: 'too_small' }>, value: unknown): Described => {
  const unit = units[issue.origin]
  if (unit === undefined) return { code: 'too_small', message: `Must be at least ${issue.minimum}.` }
  const empty = typeof value === 'string' || Array.isArray(value) ? value.length === 0 : false
  if (empty) return emptyText
  return {
    code: issue.origin === 'string' ? 'too_short' : 'too_few',
    message: `At least ${issue.minimum}${unit} are required.`,
  }
}
