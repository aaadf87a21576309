import type { Steps } from '@postrider/mail/steps.ts'

/** Characters that are decoded between two pauses; a multiple of 4. */
const decodedAtOnce = 262_144

/**
 * Decodes base64 (RFC 4648 §4) in short steps; null: it is not base64 with padding and without line breaks. Strict:
 * `Buffer` skips characters that it does not know and ends at padding, so the result then has a wrong length.
 */
export function* base64Steps(text: string): Steps<Buffer | null> {
  if (text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return null
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const bytes = Buffer.allocUnsafeSlow((text.length / 4) * 3 - padding)
  let filled = 0
  for (let from = 0; from < text.length; from += decodedAtOnce) {
    if (from > 0) yield
    const part = text.slice(from, from + decodedAtOnce)
    filled += bytes.write(part, filled, 'base64')
    const isLast = from + part.length === text.length
    if (filled !== ((from + part.length) / 4) * 3 - (isLast ? padding : 0)) return null
  }
  return bytes
}
