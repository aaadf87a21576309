import { isAscii, isUtf8 } from 'node:buffer'
import type { DecodedText } from '@postrider/contracts/http/decodedText.ts'
import { Fault, maxProblems, type Problem } from '@postrider/kit/fault.ts'
import { finish, type Steps } from '@postrider/mail/steps.ts'
import { isEscaped, type JsonFault, maxLevels, maxValues, nameFault, tooDeep, tooMany } from './jsonRules.ts'
import { characterStart, firstBadByte, linePositionOf } from './linePosition.ts'
import { longContents } from './longContents.ts'
import { parseLongJson } from './parseLongJson.ts'

/*
 * JSON in short steps, so that a long text does not block the process.
 *
 *   read    parseJson checks a text and uses `JSON.parse`; parseLongJson reads long texts in steps, by jsonStrings;
 *           jsonRules has the rules (depth, names); longContents decodes long base64 before
 *   write   jsonSteps, utf8Steps
 *   errors  jsonReason (what is wrong, for people), linePosition
 */

const refusalFault = (code: JsonFault['code'], message: string): Fault => {
  const problems: Problem[] = [{ path: '', code, message }]
  return new Fault('malformed_request', message, { problems })
}

/** Returns the refusal of a text that has a fault at this character. */
function* refusalAt(text: string, at: number, { code, what, reason }: JsonFault): Steps<Fault> {
  const position = yield* linePositionOf(text, at)
  return refusalFault(code, `${what} at ${position}${reason === undefined ? '' : `: ${reason}`}.`)
}

/**
 * Reads a body more strictly than `JSON.parse`: a text that two readers could read differently is refused.
 * @throws Fault `malformed_request`, with the code of a `JsonFault`
 */
export const parseJson = (bytes: Buffer): unknown => {
  const text = finish(decoded(bytes))
  const found = scanJson(text)
  if (found) throw finish(refusalAt(text, found.at, found.fault))
  try {
    return JSON.parse(text)
  } catch {
    // The other parser finds the position. `JSON.parse` reports it in some of its messages only.
    return finish(parseAll(text, noNames))
  }
}

const noNames: ReadonlySet<string> = new Set()

/** The field with the attachments of a message. */
const attachments = 'attachments'

/**
 * Reads a long body in short steps, with the same result. Of arrays and objects that are too long for every field, it
 * returns only the first entries and the members with one of these names. If one of them is `attachments`, long
 * contents of attachments are a `DecodedText`.
 */
export function* parseInSteps(bytes: Buffer, names: ReadonlySet<string>): Steps<unknown> {
  const apart = names.has(attachments) ? yield* parseApart(bytes, names) : null
  if (apart !== null) return apart.value
  const text = yield* decoded(bytes)
  yield
  return yield* parseAll(text, names)
}

/**
 * Reads a body apart from its long contents.
 * @returns null: it has none, or is refused, or what looked like a content is none; then it has to be read as a whole,
 * which names the position of a fault
 */
function* parseApart(bytes: Buffer, names: ReadonlySet<string>): Steps<{ value: unknown } | null> {
  const found = yield* longContents(bytes)
  if (found.length === 0) return null
  const contents = new Map<number, DecodedText>()
  let [text, from] = ['', 0]
  for (const next of [...found, null]) {
    const part = yield* utf8Text(bytes.subarray(from, next?.from))
    if (part === null) return null
    text += part
    if (next === null) break
    contents.set(text.length, next.content)
    from = next.to
  }
  const parsed = yield* parseLongJson(text, names, contents)
  return parsed.ok && contents.size === 0 ? parsed : null
}

function* parseAll(text: string, names: ReadonlySet<string>): Steps<unknown> {
  const parsed = yield* parseLongJson(text, names)
  if (parsed.ok) return parsed.value
  throw yield* refusalAt(text, parsed.at, parsed.fault)
}

/** @throws Fault `malformed_request`: it is empty, begins with a byte order mark, or is not UTF-8 */
function* decoded(bytes: Buffer): Steps<string> {
  if (bytes.length === 0) throw refusalFault('empty_body', 'The body is empty; send a JSON object.')
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw refusalFault(
      'byte_order_mark',
      'The body begins with a byte order mark; send it without one (RFC 8259 §8.1).',
    )
  }
  const text = yield* utf8Text(bytes)
  if (text !== null) return text
  const before = bytes.toString('utf8', 0, yield* firstBadByte(bytes))
  throw yield* refusalAt(before, before.length, notUtf8)
}

/** Bytes that are decoded between two pauses. */
const decodedPerStep = 262_144

/** @returns null: the bytes are not UTF-8 */
function* utf8Text(bytes: Buffer): Steps<string | null> {
  // One byte is one character: the text is one copy, without the parts that would be garbage afterwards.
  if (yield* isAsciiText(bytes)) return bytes.toString('latin1')
  const texts: string[] = []
  for (let [from, end] = [0, 0]; from < bytes.length; from = end) {
    if (from > 0) yield
    end = characterStart(bytes, from + decodedPerStep)
    const part = bytes.subarray(from, end)
    if (!isUtf8(part)) return null
    texts.push(part.toString())
  }
  return texts.join('')
}

/** Bytes whose range is checked between two pauses: that costs a tenth of decoding them. */
const checkedPerStep = 2 ** 20

function* isAsciiText(bytes: Buffer): Steps<boolean> {
  for (let from = 0; from < bytes.length; from += checkedPerStep) {
    if (from > 0) yield
    if (!isAscii(bytes.subarray(from, from + checkedPerStep))) return false
  }
  return true
}

const notUtf8: JsonFault = {
  code: 'invalid_utf8',
  what: 'The body is not valid UTF-8',
  reason: 'encode the whole body as UTF-8',
}

const quote = 0x22
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const colon = 0x3a
const comma = 0x2c
const space = 0x20

/** Names of an open object so far; the set is made only at the second name. */
type SeenNames = { first: string | null; all: Set<string> | null }

/** Returns why the object must not have this name; null: it may. Stores the name. */
const faultOfNext = (object: SeenNames | undefined, name: string): JsonFault | null => {
  const fault = nameFault(name, object?.first === name || object?.all?.has(name) === true)
  if (fault || !object) return fault
  if (object.first === null) object.first = name
  else {
    object.all ??= new Set([object.first])
    object.all.add(name)
  }
  return null
}

/**
 * Finds what `JSON.parse` accepts silently: a name twice in one object, a name of the prototype, deep nesting. It is
 * one pass without recursion. Whether the text is JSON at all is left to the parser that runs afterwards.
 */
const scanJson = (text: string): { fault: JsonFault; at: number } | null => {
  const open: SeenNames[] = []
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const start = at + 1
      at = stringEnd(text, start)
      if (!isKey(text, at)) continue
      const fault = faultOfNext(open.at(-1), keyText(text.slice(start, at)))
      if (fault) return { fault, at: start - 1 }
    } else if (code === openBrace || code === openBracket) {
      if (open.length === maxLevels) return { fault: tooDeep, at }
      if (open.length > 0 && ++values > maxValues) return { fault: tooMany, at }
      open.push({ first: null, all: null })
    } else if (code === closeBrace || code === closeBracket) open.pop()
    else if (code === comma && ++values > maxValues) return { fault: tooMany, at }
  }
  return null
}

/** Returns where the string that starts at `start` ends: at the next quote that is not escaped. */
const stringEnd = (text: string, start: number): number => {
  let end = text.indexOf('"', start)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
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

/**
 * Returns a problem for each path of a parsed value that has a lone surrogate, at most `maxProblems`. Valid UTF-8 has
 * none; only a `\u` escape can make one, and a message cannot carry it.
 */
export const loneSurrogates = (body: unknown): Problem[] => (isWellFormed(body) ? [] : finish(surrogateSteps(body)))

/** Checks every short body without building paths, which only a refused one needs. */
const isWellFormed = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isWellFormed)
  const object = value as Record<string, unknown>
  return Object.keys(object).every((name) => name.isWellFormed() && isWellFormed(object[name]))
}

/** Entries and members that are checked between two pauses. */
const membersPerStep = 1_000

/** An array or object that is read: its names, null for an array, and how many of its values were read. */
type OpenValue = { value: object; names: readonly string[] | null; count: number; read: number }

const openValue = (value: object): OpenValue => {
  const names = Array.isArray(value) ? null : Object.keys(value)
  return { value, names, count: names?.length ?? (value as unknown[]).length, read: 0 }
}

/** Returns the path of the value that was read last, such as `to[0]`. */
const pathOf = (open: readonly OpenValue[]): string =>
  open.reduce((path, { names, read }) => {
    if (names === null) return `${path}[${read - 1}]`
    return path === '' ? `${names[read - 1]}` : `${path}.${names[read - 1]}`
  }, '')

/**
 * Finds lone surrogates in short steps. For a name with one, the path is that of its object. One loop reads all levels:
 * a body may have 200,000 empty arrays, and a generator and a path for each would be garbage.
 */
export function* surrogateSteps(body: unknown): Steps<Problem[]> {
  const found: Problem[] = []
  if (typeof body === 'string' && !body.isWellFormed()) addSurrogate(found, '')
  const open: OpenValue[] = typeof body === 'object' && body !== null ? [openValue(body)] : []
  for (let seen = 1; found.length < maxProblems; seen++) {
    const last = open.at(-1)
    if (last === undefined) break
    if (seen % membersPerStep === 0) yield
    if (last.read === last.count) {
      open.pop()
      continue
    }
    const name = last.names?.[last.read] ?? last.read
    const item = (last.value as Record<string | number, unknown>)[name]
    last.read += 1
    if (typeof name === 'string' && !name.isWellFormed()) addSurrogate(found, pathOf(open.slice(0, -1)))
    else if (typeof item === 'string' && !item.isWellFormed()) addSurrogate(found, pathOf(open))
    else if (typeof item === 'object' && item !== null) open.push(openValue(item))
  }
  return found
}

const addSurrogate = (found: Problem[], path: string): void => {
  const message = 'A \\u escape is half of a character (a lone surrogate); send both halves.'
  found.push({ path: path.slice(0, 200), code: 'lone_surrogate', message })
}
