import { isUtf8 } from 'node:buffer'
import { Fault, type Problem } from '@postrider/kit/fault.ts'

/** Deepest nesting of arrays and objects. */
const deepest = 32

/** Most values of one text: no request needs more, and each costs time. */
const mostValues = 200_000

/** Names that reach an object's prototype in JavaScript. */
const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

type JsonFault = {
  code:
    | 'empty_body'
    | 'invalid_utf8'
    | 'byte_order_mark'
    | 'too_deep'
    | 'too_many_values'
    | 'duplicate_key'
    | 'reserved_key'
    | 'invalid_json'
  message: string
}

const refusal = ({ code, message }: JsonFault): Fault => {
  const problems: Problem[] = [{ path: '', code, message }]
  return new Fault('malformed_request', message, { problems })
}

/**
 * Reads a body more strictly than `JSON.parse`: a text that two readers could read differently is refused.
 * @throws Fault `malformed_request`, with the code of a `JsonFault`
 */
export const parseJson = (bytes: Buffer): unknown => {
  if (bytes.length === 0) throw refusal({ code: 'empty_body', message: 'The body is empty; send a JSON object.' })
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    const message = 'The body begins with a byte order mark; send it without one (RFC 8259 §8.1).'
    throw refusal({ code: 'byte_order_mark', message })
  }
  if (!isUtf8(bytes)) throw refusal({ code: 'invalid_utf8', message: 'The body is not valid UTF-8.' })
  const text = bytes.toString()
  const fault = scanJson(text)
  if (fault) throw refusal(fault)
  try {
    return JSON.parse(text)
  } catch {
    throw refusal({ code: 'invalid_json', message: 'The body is not valid JSON.' })
  }
}

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const colon = 0x3a
const comma = 0x2c
const space = 0x20

/** An open object or array. `first` and `keys` are the names seen; the set is made only at the second name. */
type Open = { keys: Set<string> | null; first: string | null }

const tooDeep: JsonFault = { code: 'too_deep', message: `The JSON is nested more than ${deepest} levels deep.` }

const tooMany: JsonFault = { code: 'too_many_values', message: `The JSON has more than ${mostValues} values.` }

/**
 * Finds what `JSON.parse` accepts silently: a name twice in one object, a name of the prototype, deep nesting. It is one
 * pass without recursion. Whether the text is JSON at all is left to the parser that runs afterwards.
 */
const scanJson = (text: string): JsonFault | null => {
  const open: Open[] = []
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const start = at + 1
      at = stringEnd(text, start)
      if (!isKey(text, at)) continue
      const fault = keyFault(open.at(-1), keyText(text.slice(start, at)))
      if (fault) return fault
    } else if (code === openBrace || code === openBracket) {
      if (open.length === deepest) return tooDeep
      open.push({ keys: null, first: null })
    } else if (code === closeBrace || code === closeBracket) open.pop()
    else if (code === comma && ++values === mostValues) return tooMany
  }
  return null
}

/** Returns where the string that starts at `start` ends: at the next quote that is not escaped. */
const stringEnd = (text: string, start: number): number => {
  let end = text.indexOf('"', start)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

/** An odd number of backslashes before it; of two, the first escapes the second. */
const isEscaped = (text: string, at: number): boolean => {
  let before = at
  while (text.charCodeAt(before - 1) === backslash) before--
  return (at - before) % 2 === 1
}

/** Whether a colon follows: then the string before it is the name of a member. */
const isKey = (text: string, end: number): boolean => {
  let at = end + 1
  while (text.charCodeAt(at) <= space) at++
  return text.charCodeAt(at) === colon
}

/** The name as the parser reads it, so that an escape cannot hide one. */
const keyText = (raw: string): string => {
  if (!raw.includes('\\')) return raw
  try {
    return JSON.parse(`"${raw}"`)
  } catch {
    return raw
  }
}

const keyFault = (object: Open | undefined, key: string): JsonFault | null => {
  if (reserved.has(key)) return { code: 'reserved_key', message: `The name ${key} is reserved; use another name.` }
  if (!object) return null
  if (object.first === null) {
    object.first = key
    return null
  }
  object.keys ??= new Set([object.first])
  if (object.keys.has(key)) {
    const name = JSON.stringify(key.slice(0, 100))
    return { code: 'duplicate_key', message: `The name ${name} occurs twice in one object; send it once.` }
  }
  object.keys.add(key)
  return null
}

/**
 * Returns a problem for each place of a parsed value that has a lone surrogate. Valid UTF-8 has none; only a `\u` escape
 * can make one, and a message cannot carry it.
 */
export const loneSurrogates = (body: unknown): Problem[] =>
  isWellFormed(body)
    ? []
    : surrogatePaths(body).map((path) => ({
        path,
        code: 'lone_surrogate',
        message: 'A \\u escape is half of a character (a lone surrogate); send both halves.',
      }))

/** Checks every body without building paths, which only a refused one needs. */
const isWellFormed = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isWellFormed)
  return Object.entries(value).every(([name, item]) => name.isWellFormed() && isWellFormed(item))
}

/** Paths such as `to[0]`. For a name with a lone surrogate it is the path of its object. */
const surrogatePaths = (value: unknown, path = ''): string[] => {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [path]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item, index) => surrogatePaths(item, `${path}[${index}]`))
  return Object.entries(value).flatMap(([name, item]) =>
    name.isWellFormed() ? surrogatePaths(item, path === '' ? name : `${path}.${name}`) : [path],
  )
}
