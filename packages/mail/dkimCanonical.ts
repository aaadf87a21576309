import { createHash } from 'node:crypto'
import type { Steps } from './steps.ts'

/*
 * The canonical form `relaxed` of header fields and bodies (RFC 6376 §3.4.2, §3.4.4). Line ends are CRLF, as the
 * composer writes them; a bare CR or LF is an ordinary byte.
 */

/**
 * A field of a header: its name in lower case without white space before the colon, and its value as it is in the
 * message, with folds and without the final CRLF. One character per byte.
 */
export type Field = { name: string; value: string }

/** Returns a field in canonical form without a final CRLF. */
export const canonicalField = ({ name, value }: Field): string => `${name}:${relaxed(value.replaceAll('\r\n', ''))}`

/** Returns the fields of a header in order. Lines without a colon are left out. */
export const fieldsIn = (header: string): Field[] =>
  header.split(/\r\n(?![\t ])/).flatMap((field) => {
    const colon = field.indexOf(':')
    return colon === -1 ? [] : { name: relaxed(field.slice(0, colon)).toLowerCase(), value: field.slice(colon + 1) }
  })

/** Most values have single spaces only, and one before the first word. */
const relaxed = (text: string): string => {
  // The runs are replaced first: a search for white space at the end alone would be quadratic in their length.
  const single = /\t| {2}/.test(text) ? text.replace(/[\t ]+/g, ' ') : text
  return single.slice(single.startsWith(' ') ? 1 : 0, single.endsWith(' ') ? -1 : undefined)
}

const [tab, lf, cr, space] = [0x09, 0x0a, 0x0d, 0x20] as const

/** Bytes between two pauses. */
const stepBytes = 16_384

/** Returns the SHA-256 of a body in canonical form. Makes no copy of the body. */
export function* bodyHash(body: Buffer): Steps<Buffer> {
  const hash = createHash('sha256')
  const end = yield* endOfText(body)
  // White space before the first byte of a step, which is written unless the line ends there.
  let hasSpace = false
  const out = Buffer.allocUnsafe(Math.min(2 * end, stepBytes + 1))
  for (let from = 0; from < end; from += stepBytes) {
    if (from > 0) yield
    const to = Math.min(from + stepBytes, end)
    const bytes = body.subarray(from, to)
    if (!hasSpace && isRelaxed(bytes)) hash.update(bytes)
    else {
      const length = relax(body, from, to, out, hasSpace)
      hash.update(out.subarray(0, length))
      hasSpace = isSpace(body[to - 1])
    }
  }
  if (end > 0) hash.update('\r\n')
  return hash.digest()
}

/** Two spaces, a tab, or white space before what may be a line end. */
const unrelaxed = /\t| {2}| \r| $/

/**
 * Whether the bytes are in canonical form already, as base64 and most text. The searches cost a hundredth of the loop
 * for base64, and a quarter for text.
 */
const isRelaxed = (bytes: Buffer): boolean =>
  bytes.indexOf(tab) === -1 && (bytes.indexOf(space) === -1 || !unrelaxed.test(bytes.toString('latin1')))

const isSpace = (byte: number | undefined): boolean => byte === space || byte === tab

/** Returns where the last line that is not empty ends, without white space at its end; 0: every line is empty. */
function* endOfText(body: Buffer): Steps<number> {
  let pauseAt = body.length - stepBytes
  for (let end = body.length; end > 0; ) {
    if (isSpace(body[end - 1])) end -= 1
    else if (body[end - 1] === lf && body[end - 2] === cr) end -= 2
    else return end
    if (end > pauseAt) continue
    pauseAt = end - stepBytes
    yield
  }
  return 0
}

/** Writes `body` from `from` to `to` with single spaces and none at line ends. Returns the bytes written. */
const relax = (body: Buffer, from: number, to: number, out: Buffer, hasSpaceBefore: boolean): number => {
  let length = 0
  let hasSpace = hasSpaceBefore
  for (let at = from; at < to; at++) {
    const byte = body[at] as number
    if (byte === space || byte === tab) {
      hasSpace = true
      continue
    }
    if (hasSpace) {
      if (byte !== cr || body[at + 1] !== lf) out[length++] = space
      hasSpace = false
    }
    out[length++] = byte
  }
  return length
}
