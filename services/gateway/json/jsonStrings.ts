import type { Steps } from '@postrider/mail/steps.ts'
import { stringReason } from './jsonReason.ts'
import { isEscaped } from './jsonRules.ts'

/* Finds and reads the strings of a JSON text (RFC 8259 §7): short ones in one step, others in short steps. */

/** Characters between two pauses. */
export const charactersPerStep = 65_536

const [quote, backslash, space] = [0x22, 0x5c, 0x20]

/**
 * Maximum number of characters of a string that is read in one step, without what reading in steps costs: a body may
 * have 190,000 of them.
 */
const shortString = 1_024

/** Characters that are read one by one: for so few, each search by a function of the platform costs more. */
const fewCharacters = 64

/** Returns where a string of few characters ends; -1: it is longer, or has an escape or a control character. */
export const plainEnd = (text: string, start: number): number => {
  const last = Math.min(start + fewCharacters, text.length)
  for (let at = start; at < last; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    if (code < space || code === backslash) return -1
  }
  return -1
}

/** Returns where a short string ends: at the next quote that is not escaped; -1: it is longer. */
export const shortEnd = (text: string, start: number): number => {
  let end = text.indexOf('"', start)
  while (end !== -1 && end - start <= shortString && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end - start > shortString ? -1 : end
}

/** Returns where the string ends: at the next quote that is not escaped; -1: nowhere. */
export function* stringEnd(text: string, start: number): Steps<number> {
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
export function* stringOf(text: string, start: number, end: number): Steps<string | { at: number; reason: string }> {
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

/** Returns a piece of a string with its escapes replaced; null: it is not valid. */
export const unescaped = (piece: string): string | null => {
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
