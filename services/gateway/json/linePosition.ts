import { isUtf8 } from 'node:buffer'
import type { Steps } from '@postrider/mail/steps.ts'

/* Position of the first error in a text, as an editor shows it. */

/** Characters or bytes between two pauses. */
const perStep = 65_536

/**
 * Returns the position of a character as `line 3, column 12`. Both count from 1. LF, CRLF and CR end a line. A column
 * is one character, not one unit of UTF-16.
 */
export function* linePositionOf(text: string, at: number): Steps<string> {
  let [line, column] = [1, 1]
  for (let index = 0; index < at; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(index + 1) !== 0x0a)) {
      line += 1
      column = 1
    } else if ((code & 0xfc00) !== 0xdc00) column += 1
    if (index % perStep === perStep - 1) yield
  }
  return `line ${line}, column ${column}`
}

/** Returns the index of the first byte that is not UTF-8. There must be one. */
export function* firstBadByte(bytes: Buffer): Steps<number> {
  let from = 0
  for (let to = 0; to < bytes.length; from = to) {
    to = characterStart(bytes, from + perStep)
    const piece = bytes.subarray(from, to)
    if (!isUtf8(piece)) return from + badByteOf(piece)
    yield
  }
  return from
}

/**
 * Returns where a piece that is to end at `at` ends, so that it does not end inside a character, which has at most
 * three continuation bytes (RFC 3629 §3).
 */
export const characterStart = (bytes: Buffer, at: number): number => {
  if (at >= bytes.length) return bytes.length
  let start = at
  while (start > at - 3 && isContinuation(bytes[start])) start -= 1
  return isContinuation(bytes[start]) ? at : start
}

const isContinuation = (byte = 0): boolean => (byte & 0xc0) === 0x80

/** The character by which decoders replace bytes that are not UTF-8, and its own bytes. */
const replacement = '\ufffd'
const replacementBytes = Buffer.from(replacement)

const badByteOf = (piece: Buffer): number => {
  const text = piece.toString()
  let [at, bytes] = [0, 0]
  for (let next = text.indexOf(replacement); next !== -1; next = text.indexOf(replacement, at)) {
    bytes += Buffer.byteLength(text.slice(at, next))
    if (!piece.subarray(bytes, bytes + replacementBytes.length).equals(replacementBytes)) return bytes
    bytes += replacementBytes.length
    at = next + 1
  }
  return bytes
}
