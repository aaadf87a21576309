import type { IncomingMessage } from 'node:http'
import { Fault } from '@postrider/kit/fault.ts'
import { parseItem } from 'structured-headers'

const longest = 255
const printable = new RegExp(`^[\\x20-\\x7e]{1,${longest}}$`)

const refusal = (why: string): Fault => {
  const message = `${why} An Idempotency-Key has 1 to ${longest} printable ASCII characters.`
  return new Fault('malformed_request', message, {
    problems: [{ path: 'Idempotency-Key', code: 'invalid_idempotency_key', message }],
  })
}

/**
 * The `Idempotency-Key` of a request; null: it has none. A quoted structured-field string (RFC 9651 §3.3.3) counts as
 * its content, for clients write it either way.
 * @throws Fault `malformed_request`
 */
export const readIdempotencyKey = (request: IncomingMessage): string | null => {
  const given = request.headers['idempotency-key']
  if (given === undefined) return null
  // Node joins repeated headers with commas, and a comma may stand in a key: only the raw lines tell.
  if ((request.headersDistinct['idempotency-key'] ?? []).length > 1) throw refusal('The header stands here twice.')
  const key = unquote(String(given))
  if (printable.test(key)) return key
  throw refusal(key === '' ? 'The key is empty.' : 'This is not a key.')
}

const unquote = (text: string): string => {
  if (!text.startsWith('"')) return text
  try {
    const [content, parameters] = parseItem(text)
    if (typeof content === 'string' && parameters.size === 0) return content
  } catch {
    // Refused below, in the same words as any other text that is no key.
  }
  throw refusal('A key that begins with a quote must be a quoted string.')
}
