import { bufferOf } from './bytes.ts'
import type { Steps } from './steps.ts'

const [lf, cr, dot] = [0x0a, 0x0d, 0x2e] as const

/** Bytes that one step reads between two pauses: at most about a millisecond, if every line is short. */
const bytesOfStep = 65_536

/**
 * Returns in steps the bytes between DATA and the final dot: each line that begins with a dot gets another one (RFC
 * 5321 §4.5.2). When no line begins with a dot, even for a server that accepts a bare CR or LF as a line end, nothing
 * can end the message early, and the bytes are returned unchanged. Two searches find that out.
 * @throws Error when a line begins with a dot and the bytes contain a bare CR or LF, which could end the message early
 */
export function* dotStuffSteps(raw: Uint8Array): Steps<Buffer> {
  const bytes = Buffer.isBuffer(raw) ? raw : bufferOf(raw)
  if (!(yield* hasLineWithDot(bytes))) return bytes
  return bytes.length > longMessage ? yield* stuffedInOnePass(bytes) : stuffed(bytes)
}

function* hasLineWithDot(bytes: Buffer): Steps<boolean> {
  if (bytes[0] === dot) return true
  for (let start = 0; start < bytes.length; start += bytesOfStep) {
    if (start > 0) yield
    // With the first byte of the next piece, whose line may end in this one.
    const piece = bytes.subarray(start, start + bytesOfStep + 1)
    if (piece.includes('\n.', 0, 'latin1') || piece.includes('\r.', 0, 'latin1')) return true
  }
  return false
}

/** Size above which a pass over the bytes in JavaScript is faster than a copy of each line. */
const longMessage = 262_144

const bareLineEnd = /\r(?!\n)|(?<!\r)\n/
const bareError = () => new Error('the message has a bare CR or LF and a line that begins with a dot')

const stuffed = (bytes: Buffer): Buffer => {
  if (bareLineEnd.test(bytes.toString('latin1'))) throw bareError()
  const extra = Buffer.from('.')
  const parts: Buffer[] = bytes[0] === dot ? [extra] : []
  let start = 0
  for (let at = bytes.indexOf('\r\n.'); at !== -1; at = bytes.indexOf('\r\n.', start)) {
    parts.push(bytes.subarray(start, at + 2), extra)
    start = at + 2
  }
  parts.push(bytes.subarray(start))
  return Buffer.concat(parts)
}

/** A message of three million lines with a dot takes some 40 ms, and a copy of each line five times as long. */
function* stuffedInOnePass(bytes: Buffer): Steps<Buffer> {
  let dots = bytes[0] === dot ? 1 : 0
  if (bytes[0] === lf) throw bareError()
  for (let start = 0; start < bytes.length; start += bytesOfStep) {
    yield
    dots += dottedLines(bytes, start, Math.min(start + bytesOfStep, bytes.length))
  }
  const out = Buffer.allocUnsafe(bytes.length + dots)
  for (let [start, to] = [0, 0]; start < bytes.length; start += bytesOfStep) {
    yield
    to = stuff(bytes, start, out, to)
  }
  return out
}

/**
 * Returns how many lines that begin with a dot follow the line ends in a range.
 * @throws Error for a bare CR or LF in it
 */
const dottedLines = (bytes: Buffer, start: number, end: number): number => {
  let dots = 0
  for (let at = start; at < end; at++) {
    const isCr = bytes[at] === cr
    if (isCr !== (bytes[at + 1] === lf)) throw bareError()
    if (isCr && bytes[at + 2] === dot) dots += 1
  }
  return dots
}

/** Copies the bytes of a step from `start` to `to`. @returns the end of the copy */
const stuff = (bytes: Buffer, start: number, out: Buffer, to: number): number => {
  const end = Math.min(start + bytesOfStep, bytes.length)
  let next = to
  let before: number | undefined = start === 0 ? lf : bytes[start - 1]
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number
    if (byte === dot && before === lf) out[next++] = dot
    out[next++] = byte
    before = byte
  }
  return next
}

/** Returns the text that ends the message: a dot on its own line. The CRLF after DATA counts (RFC 5321 §4.1.1.4). */
export const finalDot = (bytes: Uint8Array): string =>
  bytes.length === 0 || (bytes.at(-1) === 0x0a && bytes.at(-2) === 0x0d) ? '.\r\n' : '\r\n.\r\n'
