import type { Steps } from '@postrider/mail/steps.ts'
import { endOfPiece, joined, pieceLength } from './utf8Steps.ts'

/** Returns whether a value is a text that is encoded in several pieces. */
export const isLongText = (value: unknown): value is string => typeof value === 'string' && value.length > pieceLength

/** Returns whether a value is an object with a long text, such as a template with its bodies. */
export const hasLongText = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).some(isLongText)

/** Returns whether a value is a list of records. */
export const isList = (value: unknown): value is { data: unknown[] } =>
  typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data)

/** Characters of the records of a list between two pauses. */
const listLength = 262_144

/**
 * Returns an object as `JSON.stringify` writes it, in UTF-8, and pauses in long texts and between the entries of its
 * arrays.
 */
export function* jsonSteps(value: Record<string, unknown>): Steps<Buffer> {
  const pieces: Buffer[] = []
  const add = (text: string): void => void pieces.push(Buffer.from(text))
  let separator = ''
  add('{')
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined) continue
    add(`${separator}${JSON.stringify(name)}:`)
    separator = ','
    if (isLongText(item)) yield* addLongText(item, add)
    else if (Array.isArray(item)) yield* addEntries(item, add)
    else add(JSON.stringify(item))
  }
  add('}')
  return joined(pieces)
}

function* addEntries(entries: readonly unknown[], add: (text: string) => void): Steps<void> {
  let length = 0
  for (const [index, entry] of entries.entries()) {
    const text = `${index === 0 ? '[' : ','}${JSON.stringify(entry ?? null)}`
    add(text)
    length += text.length
    if (length < listLength) continue
    length = 0
    yield
  }
  add(entries.length === 0 ? '[]' : ']')
}

/**
 * Adds a long text as `JSON.stringify` writes it, in pieces. A piece does not end inside a surrogate pair, whose halves
 * `JSON.stringify` would escape.
 */
export function* addLongText(text: string, add: (text: string) => void): Steps<void> {
  add('"')
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from)
    add(JSON.stringify(text.slice(from, to)).slice(1, -1))
    from = to
    yield
  }
  add('"')
}

/** Adds the bytes of a long text that `JSON.stringify` writes as they are. */
export function* addBytes(text: Buffer, add: (part: string | Buffer) => void): Steps<void> {
  add('"')
  for (let from = 0; from < text.length; from += pieceLength) {
    add(text.subarray(from, from + pieceLength))
    yield
  }
  add('"')
}
