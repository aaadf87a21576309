import { bufferOf } from './bytes.ts'
import type { Steps } from './steps.ts'

const [lf, cr, dot] = [0x0a, 0x0d, 0x2e] as const

/** Bytes that one step reads between two pauses: at most about a millisecond, if every line is short. */
const bytesOfStep = 65_536

/** Bytes of a message per block if no line begins with a dot. */
const bytesOfBlock = 262_144

/** Bytes that are written between DATA and the final dot, at least one block. `steps` returns a block, from 0. */
export type StuffedBlocks = { count: number; steps(block: number): Steps<Buffer> }

/**
 * Returns in steps the bytes between DATA and the final dot: each line that begins with a dot gets another one (RFC
 * 5321 §4.5.2). When no line begins with a dot, even for a server that accepts a bare CR or LF as a line end, nothing
 * can end the message early, and the blocks are parts of `raw`. Two searches find that out. Otherwise the blocks of a
 * long message are made one after another, so that it is never in memory twice.
 * @throws Error when a line begins with a dot and the bytes contain a bare CR or LF, which could end the message early
 */
export function* dotStuffSteps(raw: Uint8Array): Steps<StuffedBlocks> {
  const bytes = Buffer.isBuffer(raw) ? raw : bufferOf(raw)
  if (!(yield* hasLineWithDot(bytes))) return blocksOf(bytes)
  if (bytes.length <= bytesOfBlock) return blocksOf(stuffed(bytes))
  yield* checkLineEnds(bytes)
  return {
    count: Math.ceil(bytes.length / bytesOfStep),
    *steps(block) {
      // Before each: otherwise the blocks of all connections could be made in one iteration.
      yield
      return stuffedBlock(bytes, block * bytesOfStep)
    },
  }
}

const blocksOf = (bytes: Buffer): StuffedBlocks => ({
  count: Math.max(1, Math.ceil(bytes.length / bytesOfBlock)),
  // biome-ignore lint/correctness/useYield: a part needs no work
  *steps(block) {
    return bytes.subarray(block * bytesOfBlock, (block + 1) * bytesOfBlock)
  },
})

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

/** @throws Error for a bare CR or LF */
function* checkLineEnds(bytes: Buffer): Steps<void> {
  if (bytes[0] === lf) throw bareError()
  for (let start = 0; start < bytes.length; start += bytesOfStep) {
    yield
    const end = Math.min(start + bytesOfStep, bytes.length)
    for (let at = start; at < end; at++) if ((bytes[at] === cr) !== (bytes[at + 1] === lf)) throw bareError()
  }
}

/** For a message of millions of lines with a dot, a copy of each line takes five times as long. */
const stuffedBlock = (bytes: Buffer, start: number): Buffer => {
  const end = Math.min(start + bytesOfStep, bytes.length)
  const out = Buffer.allocUnsafe(2 * (end - start))
  let length = 0
  let before: number | undefined = start === 0 ? lf : bytes[start - 1]
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number
    if (byte === dot && before === lf) out[length++] = dot
    out[length++] = byte
    before = byte
  }
  return out.subarray(0, length)
}

/** Returns the text that ends the message: a dot on its own line. The CRLF after DATA counts (RFC 5321 §4.1.1.4). */
export const finalDot = (bytes: Uint8Array): string =>
  bytes.length === 0 || (bytes.at(-1) === 0x0a && bytes.at(-2) === 0x0d) ? '.\r\n' : '\r\n.\r\n'
