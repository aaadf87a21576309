import type { Steps } from './steps.ts'

/**
 * Characters that are decoded between two pauses, and in one piece: longer strings are no part of the young heap.
 * Multiples of 4.
 */
const [charactersPerStep, pieceLength] = [262_144, 65_536]

const pieceOf = (text: string | Buffer, from: number): string =>
  typeof text === 'string' ? text.slice(from, from + pieceLength) : text.toString('latin1', from, from + pieceLength)

const paddingOf = (text: string | Buffer): number => {
  const end = typeof text === 'string' ? text.slice(-2) : text.toString('latin1', Math.max(0, text.length - 2))
  return end.endsWith('==') ? 2 : end.endsWith('=') ? 1 : 0
}

/**
 * Decodes base64 (RFC 4648 §4) in short steps; null: it is not base64 with padding and without line breaks. Strict:
 * `Buffer` skips invalid characters and ends at padding, so the result then has a wrong length.
 * @param text a text, or the bytes of one
 */
export function* base64Steps(text: string | Buffer): Steps<Buffer | null> {
  if (text.length % 4 !== 0) return null
  const padding = paddingOf(text)
  const bytes = Buffer.allocUnsafeSlow((text.length / 4) * 3 - padding)
  let filled = 0
  for (let from = 0; from < text.length; from += pieceLength) {
    if (from > 0 && from % charactersPerStep === 0) yield
    const part = pieceOf(text, from)
    // Of another alphabet (RFC 4648 §5), which `Buffer` reads too.
    if (part.includes('-') || part.includes('_')) return null
    filled += bytes.write(part, filled, 'base64')
    const isLast = from + part.length === text.length
    if (filled !== ((from + part.length) / 4) * 3 - (isLast ? padding : 0)) return null
  }
  return bytes
}
