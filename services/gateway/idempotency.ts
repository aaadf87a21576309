import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Fault } from '@postrider/kit/fault.ts'
import { parseItem } from 'structured-headers'

const longestKey = 255
const printable = new RegExp(`^[\\x20-\\x7e]{1,${longestKey}}$`)

const refusal = (reason: string): Fault => {
  const message = `${reason} Send one Idempotency-Key of 1 to ${longestKey} printable ASCII characters.`
  return new Fault('malformed_request', message, {
    problems: [{ path: 'Idempotency-Key', code: 'invalid_idempotency_key', message }],
  })
}

/**
 * Reads the `Idempotency-Key` of a request; null: it has none. A quoted structured-field string (RFC 9651 §3.3.3) stands
 * for its content, because clients write the key either way.
 * @throws Fault `malformed_request`
 */
export const readIdempotencyKey = (request: IncomingMessage): string | null => {
  const given = request.headers['idempotency-key']
  if (given === undefined) return null
  // Node joins repeated headers with commas, and a key may contain a comma: only the raw lines show a repetition.
  if ((request.headersDistinct['idempotency-key'] ?? []).length > 1) throw refusal('The header is given twice.')
  const key = unquote(String(given))
  if (printable.test(key)) return key
  throw refusal(key === '' ? 'The key is empty.' : 'The key is too long or has other characters.')
}

const unquote = (text: string): string => {
  if (!text.startsWith('"')) return text
  try {
    const [content, parameters] = parseItem(text)
    if (typeof content === 'string' && parameters.size === 0) return content
  } catch {
    // Refused below.
  }
  throw refusal('A key that begins with a quote must be a quoted string without parameters.')
}

/** Returns the canonical form of a JSON value: members sorted by name, no white space. The parser bounds the depth. */
export const canonicalJson = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`).join(',')}}`
}

/** Returns the SHA-256 of a body's canonical form: it does not depend on the order of the members. */
export const fingerprint = (value: unknown): Buffer => hash('sha256', canonicalJson(value), 'buffer')
