import { freeBytes } from '@postrider/kit/bytes.ts'
import type { Steps } from '@postrider/mail/steps.ts'

/** Characters of a text between two pauses. */
export const pieceLength = 65_536

/** Pieces of short texts between two pauses. */
const shortPieces = 100

/**
 * Returns the texts one after the other in UTF-8, and pauses in long ones: 10 MiB in one step would block for 50 ms.
 */
export function* utf8Steps(texts: readonly string[]): Steps<Buffer> {
  const pieces: Buffer[] = []
  for (const text of texts)
    for (let from = 0; from < text.length; ) {
      const to = endOfPiece(text, from)
      pieces.push(Buffer.from(text.slice(from, to)))
      from = to
      if (from < text.length || pieces.length % shortPieces === 0) yield
    }
  yield
  return joined(pieces)
}

/** Concatenates pieces and frees their memory. */
export const joined = (pieces: readonly Buffer[]): Buffer => {
  const whole = Buffer.concat(pieces)
  for (const piece of pieces) freeBytes(piece)
  return whole
}

/** Returns where a piece of a text ends: not inside a surrogate pair, because half of one cannot be encoded. */
export const endOfPiece = (text: string, from: number): number => {
  const isCut = (text.charCodeAt(from + pieceLength - 1) & 0xfc00) === 0xd800
  return from + pieceLength - (isCut ? 1 : 0)
}
