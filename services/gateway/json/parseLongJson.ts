import type { DecodedText } from '@postrider/contracts/http/decodedText.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import { type Expected, jsonReason } from './jsonReason.ts'
import { type JsonFault, maxLevels, maxValues, nameFault, tooDeep, tooMany } from './jsonRules.ts'
import { charactersPerStep, plainEnd, shortEnd, stringEnd, stringOf, unescaped } from './jsonStrings.ts'

/**
 * Members that any object stores, and members that all objects of a text store in addition: as many as 64 KiB can have.
 */
const [keptMembers, moreMembers] = [1_000, 12_000]
/** Entries that an array stores: more than 64 KiB can have, the size of `template_vars`. */
const keptEntries = 33_000

/** Values between two pauses. */
const valuesPerStep = 500
/** Longer numbers are refused: they are read in one piece. */
const maxNumberLength = 65_536

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

/**
 * `room`: number of members that objects with more than `keptMembers` can still keep. `contents`: those that were not
 * reached yet.
 */
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
  what: `The body has a number of more than ${maxNumberLength} characters`,
}

/** White space of JSON (RFC 8259 §2). */
const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
const quote = 0x22

/**
 * Reads a JSON text as `JSON.parse` does, with the checks of `parseJson`, in short steps. Of a container with more
 * entries than any field may have, the result has only the first ones, so that the work after this is bounded too.
 * Members with one of `names` are always part of the result.
 * @param contents strings that are not part of the text, by the index at which they stand between their quotes; those
 * that stand where an attachment's content is, and nowhere else, are removed from the map and are part of the result
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

/** Refuses the character at `at`, which is not valid there. */
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
  if (reading.values > maxValues) fail(reading, tooMany)
}

const openContainer = (reading: Reading, isArray: boolean): void => {
  if (!expectsValue(reading)) {
    unexpected(reading)
    return
  }
  if (reading.open.length === maxLevels) {
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
  if (token.length > maxNumberLength) {
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
 * Whether an object has a member of this name. Only the members that are kept are compared, in objects that keep them
 * all: one with more is refused for their number. A set of 90,000 names would be megabytes of garbage.
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
