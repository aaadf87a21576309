import { type DecodedText, decodedText } from '@postrider/contracts/http/decodedText.ts'
import { base64Steps } from '@postrider/mail/base64.ts'
import type { Steps } from '@postrider/mail/steps.ts'

/**
 * Bytes without a quote by which a long string is found. Each string of twice that length has such bytes at one of
 * these positions.
 */
const quietBytes = 65_536

const quote = 0x22

/** A position in a body that has no string between its quotes: the string was decoded. */
export type Extract = { from: number; to: number; content: DecodedText }

/**
 * Returns the long strings of a JSON text that are base64, in short steps. They become no string of JavaScript: a
 * string of megabytes costs other requests its pages of memory, and the collection of garbage that frees them. What is
 * between two quotes may also be outside of a string; the parser of what is left finds that out.
 */
export function* longContents(bytes: Buffer): Steps<Extract[]> {
  const found: Extract[] = []
  for (let at = quietBytes; at < bytes.length; at += quietBytes) {
    const to = yield* nextQuote(bytes, at)
    if (to === -1) break
    if (to - at < quietBytes) continue
    const from = bytes.lastIndexOf(quote, at - 1) + 1
    const text = bytes.subarray(from, to)
    const decoded = from > 0 && mayBeBase64(text) ? yield* base64Steps(text) : null
    if (decoded !== null) found.push({ from, to, content: decodedText(text, decoded) })
    at = to
  }
  return found
}

/** Whether a text begins as base64. Decoding allocates memory for all of it first. */
const mayBeBase64 = (text: Buffer): boolean => /^[A-Za-z\d+/]*$/.test(text.toString('latin1', 0, 1_024))

/** Bytes that are searched between two pauses. */
const bytesPerStep = 2 ** 20

function* nextQuote(bytes: Buffer, start: number): Steps<number> {
  for (let at = start; at < bytes.length; at += bytesPerStep) {
    const found = bytes.subarray(at, at + bytesPerStep).indexOf(quote)
    if (found !== -1) return at + found
    yield
  }
  return -1
}
