import type { DecodedText } from '@postrider/contracts/http/decodedText.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import { type Expected, jsonReason, stringReason } from './jsonReason.ts'
import { isEscaped, type JsonFault, mostLevels, mostValues, nameFault, tooDeep, tooMany } from './jsonRules.ts'

/** Members that any object stores, and members that all objects of a text store in addition: as many as 64 KiB can have. */
const [keptMembers, moreMembers] = [1_000, 12_000]
/** Entries that an array stores: more than 64 KiB can have, the size of `template_vars`. */
const keptEntries = 33_000

/** Characters and values between two pauses. */
const [charactersPerStep, valuesPerStep] = [65_536, 500]
/** Longer numbers are refused: they are read in one piece. */
const longestNumber = 65_536

type Container = {
  value: unknown[] | Record<string, unknown>
  isArray: boolean
  /** Entries or members so far. */
  count: number
  /** Whether the value is part of the result. */
  isKept: boolean
  /** Name of the member whose value is read. */
  key: string
}

/** `room`: members that objects with more than `keptMembers` can still keep. `contents`: those that were not reached yet. */
type Reading = {
  readonly text: string
  at: number
  expected: Expected
  open: Container[]
  result: unknown
  values: number
  room: number
  readonly names: ReadonlySet<string>
  readonly contents: Map<number, DecodedText>
  fault: JsonFault | null
}

const invalidJson = (reason: string): JsonFault => ({
  code: 'invalid_json',
  what: 'The body is not valid JSON',
  reason,
})
const longNumber: JsonFault = {
  code: 'invalid_json',
  what: `The body has a number of more than ${longestNumber} characters`,
}

/** White space of JSON (RFC 8259 §2). */
const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
const [quote, backslash, space] = [0x22, 0x5c, 0x20]

/**
 * Reads a JSON text as `JSON.parse` does, with the checks of `parseJson`, in short steps. Of a container with more entries
 * than any field may have, the result has only the first ones, so that the work after this is bounded too. Members
 * with one of `names` are always part of the result.
 * @param contents strings that are not part of the text, by the index at which they stand between their quotes; those that stand
 * in the place of an attachment's content, and nowhere else, are removed from the map and are part of the result
 * @returns the value, or the reason why it was refused and the index of the character
 */
export function* parseLongJson(
  text: string,
  names: ReadonlySet<string>,
  contents = new Map<number, DecodedText>(),
): Steps<{ ok: true; value: unknown } | { ok: false; fault: JsonFault; at: number }> {
  const reading: Reading = {
    text,
    at: 0,
    expected: 'value',
    open: [],
    result: undefined,
    values: 1,
    room: moreMembers,
    names,
    contents,
    fault: null,
  }
  for (let pauseAt = charactersPerStep, pauseValues = valuesPerStep; reading.at < text.length; reading.at++) {
    const code = text.charCodeAt(reading.at)
    if (code === quote) {
      if (!readShortString(reading)) yield* readString(reading)
    } else if (!isBlank(code)) readToken(reading, text.charAt(reading.at))
    if (reading.fault) return { ok: false, fault: reading.fault, at: reading.at }
    if (reading.at < pauseAt && reading.values < pauseValues) continue
    pauseAt = reading.at + charactersPerStep
    pauseValues = reading.values + valuesPerStep
    yield
  }
  if (reading.expected === 'nothing') return { ok: true, value: reading.result }
  unexpected(reading)
  return { ok: false, fault: reading.fault ?? invalidJson('the body ends here'), at: reading.at }
}

const expectsValue = ({ expected }: Reading): boolean => expected === 'value' || expected === 'value or end'

const fail = (reading: Reading, fault: JsonFault): void => {
  reading.fault ??= fault
}

/** Refuses what is at `at`: it cannot stand there. */
const unexpected = (reading: Reading): void =>
  fail(reading, invalidJson(jsonReason(reading.text, reading.at, reading.expected)))

/** Reads a token that is not a string. `at` is then its last character. */
const readToken = (reading: Reading, character: string): void => {
  const { expected } = reading
  if (character === '{' || character === '[') openContainer(reading, character === '[')
  else if (character === '}' || character === ']') closeContainer(reading, character === ']')
  else if (character === ':' && expected === 'colon') reading.expected = 'value'
  else if (character === ',' && expected === 'comma or end') {
    reading.expected = reading.open.at(-1)?.isArray ? 'value' : 'key'
    countValue(reading)
  } else if (expectsValue(reading)) readLiteral(reading)
  else unexpected(reading)
}

const countValue = (reading: Reading): void => {
  reading.values += 1
  if (reading.values > mostValues) fail(reading, tooMany)
}

const openContainer = (reading: Reading, isArray: boolean): void => {
  if (!expectsValue(reading)) {
    unexpected(reading)
    return
  }
  if (reading.open.length === mostLevels) {
    fail(reading, tooDeep)
    return
  }
  if (reading.open.length > 0) countValue(reading)
  const value = isArray ? [] : {}
  const isKept = addValue(reading, value)
  reading.open.push({ value, isArray, count: 0, isKept, key: '' })
  reading.expected = isArray ? 'value or end' : 'key or end'
}

const closeContainer = (reading: Reading, isArray: boolean): void => {
  const { expected } = reading
  const mayEnd = expected === 'comma or end' || expected === (isArray ? 'value or end' : 'key or end')
  if (!mayEnd || reading.open.at(-1)?.isArray !== isArray) {
    unexpected(reading)
    return
  }
  reading.open.pop()
  reading.expected = reading.open.length === 0 ? 'nothing' : 'comma or end'
}

/** Adds a value to the open container. @returns whether it is part of the result */
const addValue = (reading: Reading, value: unknown): boolean => {
  const container = reading.open.at(-1)
  reading.expected = container ? 'comma or end' : 'nothing'
  if (!container) {
    reading.result = value
    return true
  }
  container.count += 1
  if (!container.isKept || !hasRoom(reading, container)) return false
  if (container.isArray) (container.value as unknown[]).push(value)
  else (container.value as Record<string, unknown>)[container.key] = value
  return true
}

const hasRoom = (reading: Reading, { isArray, count, key }: Container): boolean => {
  if (isArray) return count <= keptEntries
  return count <= keptMembers || reading.names.has(key) || reading.room-- > 0
}

/** Numbers, `true`, `false` and `null` end where none of these characters follows. */
const literal = /[-+.\w]{1,65537}/y

const readLiteral = (reading: Reading): void => {
  literal.lastIndex = reading.at
  const token = literal.exec(reading.text)?.[0] ?? ''
  if (token.length > longestNumber) {
    fail(reading, longNumber)
    return
  }
  try {
    addValue(reading, JSON.parse(token))
    reading.at += token.length - 1
  } catch {
    unexpected(reading)
  }
}

/** Reads a name or a string. `at` is then the closing quote. */
function* readString(reading: Reading): Steps<void> {
  const isName = reading.expected === 'key' || reading.expected === 'key or end'
  if (!isName && !expectsValue(reading)) {
    unexpected(reading)
    return
  }
  const start = reading.at + 1
  if (takeContent(reading, start)) return
  const end = yield* stringEnd(reading.text, start)
  if (end === -1) {
    fail(reading, invalidJson('the string that begins here has no closing quote'))
    return
  }
  const value = yield* stringOf(reading.text, start, end)
  if (typeof value !== 'string') {
    reading.at = value.at
    fail(reading, invalidJson(value.reason))
    return
  }
  takeString(reading, { value, end, isName })
}

/** Most characters of a string that is read in one step, without what reading in steps costs: a body may have 190,000 of them. */
const shortString = 1_024

/** Reads a name or a string that is short. @returns false: it is long, or has a fault */
const readShortString = (reading: Reading): boolean => {
  const { text, at, expected, contents } = reading
  const isName = expected === 'key' || expected === 'key or end'
  if ((!isName && !expectsValue(reading)) || contents.has(at + 1)) return false
  const plain = plainEnd(text, at + 1)
  const end = plain === -1 ? shortEnd(text, at + 1) : plain
  const given = end === -1 ? null : text.slice(at + 1, end)
  const value = plain === -1 && given !== null ? unescaped(given) : given
  if (value === null) return false
  takeString(reading, { value, end, isName })
  return true
}

/** Characters that are read one by one: for so few, each search by a function of the platform costs more. */
const fewCharacters = 64

/** Returns where a string of few characters ends; -1: it is longer, or has an escape or a control character. */
const plainEnd = (text: string, start: number): number => {
  const last = Math.min(start + fewCharacters, text.length)
  for (let at = start; at < last; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    if (code < space || code === backslash) return -1
  }
  return -1
}

/** Returns where a short string ends: at the next quote that is not escaped; -1: it is longer. */
const shortEnd = (text: string, start: number): number => {
  let end = text.indexOf('"', start)
  while (end !== -1 && end - start <= shortString && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end - start > shortString ? -1 : end
}

/** Adds a string, or keeps a name for the value that follows. `at` is then the closing quote. */
const takeString = (
  reading: Reading,
  { value, end, isName }: { value: string; end: number; isName: boolean },
): void => {
  if (!isName) {
    addValue(reading, value)
    reading.at = end
    return
  }
  const container = reading.open.at(-1)
  const fault = nameFault(value, container !== undefined && hasMember(container, value))
  if (fault) {
    fail(reading, fault)
    return
  }
  reading.at = end
  if (container) container.key = value
  reading.expected = 'colon'
}

/**
 * Whether an object has a member of this name. Only the members that are kept are compared, in objects that keep them all: one
 * with more is refused for their number. A set of 90,000 names would be megabytes of garbage.
 */
const hasMember = ({ value, count }: Container, name: string): boolean =>
  count < keptMembers + moreMembers && Object.hasOwn(value, name)

/** Adds the content of an attachment that stands here. `at` is then the closing quote. @returns false: there is none */
const takeContent = (reading: Reading, start: number): boolean => {
  const content = reading.contents.get(start)
  if (content === undefined || !isInAttachment(reading)) return false
  reading.contents.delete(start)
  addValue(reading, content)
  reading.at = start
  return true
}

/** Whether the next value is the content of an attachment. */
const isInAttachment = ({ open, expected }: Reading): boolean => {
  const [body, list, attachment] = open
  return (
    expected === 'value' &&
    open.length === 3 &&
    body?.key === 'attachments' &&
    list?.isArray === true &&
    attachment?.key === 'content'
  )
}

/** Returns where the string ends: at the next quote that is not escaped; -1: nowhere. */
function* stringEnd(text: string, start: number): Steps<number> {
  let pauseAt = start + charactersPerStep
  for (let end = text.indexOf('"', start); end !== -1; end = text.indexOf('"', end + 1)) {
    const before = yield* backslashesBefore(text, end)
    if (before % 2 === 0) return end
    if (end < pauseAt) continue
    pauseAt = end + charactersPerStep
    yield
  }
  return -1
}

function* backslashesBefore(text: string, at: number): Steps<number> {
  let before = at
  while (text[before - 1] === '\\') {
    before -= 1
    if ((at - before) % charactersPerStep === 0) yield
  }
  return at - before
}

/** What a string must not contain unescaped (RFC 8259 §7). */
const controlCharacter = /[^ -\uffff]/

/** Returns the text between the quotes with its escapes replaced, or where and why it is not valid. */
function* stringOf(text: string, start: number, end: number): Steps<string | { at: number; reason: string }> {
  const parts: string[] = []
  let hasEscape = false
  for (let from = start; from < end; ) {
    const to = pieceEnd(text, from, end)
    const piece = text.slice(from, to)
    if (piece.includes('\\')) hasEscape = true
    const part = unescaped(piece)
    if (part === null) {
      const { at, reason } = stringReason(piece)
      return { at: from + at, reason }
    }
    parts.push(part)
    from = to
    if (from < end) yield
  }
  // Without an escape the text itself is the value, and nothing is copied.
  return hasEscape ? parts.join('') : text.slice(start, end)
}

const unescaped = (piece: string): string | null => {
  if (!piece.includes('\\')) return controlCharacter.test(piece) ? null : piece
  try {
    return JSON.parse(`"${piece}"`) as string
  } catch {
    return null
  }
}

const longestEscape = '\\u0000'.length

/** Returns where a piece that begins at `from` ends, so that no escape is cut. */
const pieceEnd = (text: string, from: number, end: number): number => {
  const to = from + charactersPerStep
  if (to >= end) return end
  let last = to - 1
  while (last >= to - longestEscape && text[last] !== '\\') last -= 1
  if (last < to - longestEscape) return to
  let first = last
  while (first > from && text[first - 1] === '\\') first -= 1
  // Backslashes escape each other in pairs from the first one; the piece ends before the last escape.
  const lastEscape = first + ((last - first) & ~1)
  return lastEscape > from ? lastEscape : to
}
