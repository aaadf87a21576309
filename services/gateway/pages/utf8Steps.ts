import type { Steps } from '@postrider/mail/steps.ts'

/** Characters that are encoded between two pauses. */
const pieceLength = 262_144

/**
 * Returns the texts one after the other in UTF-8, and pauses in long ones: 10 MiB in one step would block for 50 ms.
 */
export function* utf8Steps(texts: readonly string[]): Steps<Buffer> {
  const pieces: Buffer[] = []
  for (const text of texts)
    for (let from = 0; from < text.length; ) {
      // A piece ends between characters: half of a surrogate pair cannot be encoded.
      const isCut = (text.charCodeAt(from + pieceLength - 1) & 0xfc00) === 0xd800
      const to = from + pieceLength - (isCut ? 1 : 0)
      pieces.push(Buffer.from(text.slice(from, to)))
      from = to
      if (from < text.length || pieces.length % 100 === 0) yield
    }
  yield
  return Buffer.concat(pieces)
}
