import { bufferOf } from './bytes.ts'
import type { Steps } from './steps.ts'

/** Text or bytes in order. Text has one byte per character. Long text is not joined, because joining blocks. */
export type Pieces = readonly (string | Uint8Array)[]

/** A body as it is sent, with its Content-Transfer-Encoding (RFC 2045 §6). */
export type EncodedBody = { encoding: '7bit' | 'quoted-printable' | 'base64'; body: Pieces }

const maxLineLength = 998
/** RFC 2045 §6.7, §6.8: encoded lines have at most 76 characters. */
const encodedLine = 76
const bytesALine = (encodedLine / 4) * 3

/** Characters or bytes between two pauses. */
const pieceLength = 16_384

/** Printable ASCII, tabs and line ends: every server passes them on unchanged (RFC 2045 §2.7). */
const sevenBit = /^[\t\n\r -~]*$/

/** Writes every line end as CRLF: at a bare CR or LF some servers end a line and others do not (RFC 5321 §2.3.8). */
const withCrlf = (text: string): string =>
  text.includes('\r') ? text.replace(/\r\n?|\n/g, '\r\n') : text.replaceAll('\n', '\r\n')

const lineEnd = /\r\n|\r|\n/

/** Returns the text with CRLF line ends in pieces. No piece ends inside a line end or a surrogate pair. */
function* crlfPieces(text: string): Steps<string[]> {
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    let to = from + pieceLength
    if (text[to - 1] === '\r' || (text.charCodeAt(to - 1) & 0xfc00) === 0xd800) to += 1
    // Splitting costs a twentieth of replacing where most characters are line ends.
    pieces.push(text.length > pieceLength ? text.slice(from, to).split(lineEnd).join('\r\n') : withCrlf(text))
    from = to
    if (from < text.length) yield
  }
  return pieces
}

/** Whether the text can be sent unencoded: 7-bit, without a line that is too long. */
function* isPlain(pieces: readonly string[]): Steps<boolean> {
  let length = 0
  for (const piece of pieces) {
    if (!sevenBit.test(piece)) return false
    let from = 0
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', from)) {
      if (length + end - 1 - from > maxLineLength) return false
      length = 0
      from = end + 1
    }
    length += piece.length - from
    if (length > maxLineLength) return false
    if (pieces.length > 1) yield
  }
  return true
}

/**
 * Encodes a text part in short steps: unchanged if it is 7-bit, in base64 if most of its bytes are not ASCII, else
 * quoted-printable.
 */
export function* encodeText(text: string): Steps<EncodedBody> {
  const pieces = yield* crlfPieces(text)
  if (yield* isPlain(pieces)) {
    return { encoding: '7bit', body: pieces }
  }
  const lines = pieces.join('')
  const bytes = Buffer.from(lines, 'utf8')
  const isAscii = bytes.length === lines.length
  return !isAscii && (yield* isMostlyNotAscii(bytes))
    ? { encoding: 'base64', body: yield* base64Lines(bytes) }
    : { encoding: 'quoted-printable', body: [yield* quotedPrintable(bytes)] }
}

function* isMostlyNotAscii(bytes: Uint8Array): Steps<boolean> {
  let high = 0
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at] as number) > 0x7f) high += 1
    if (at % pieceLength === pieceLength - 1) yield
  }
  return high * 2 > bytes.length
}

const bytesOfPiece = bytesALine * 256

/** Encodes bytes in lines of base64, in short steps. */
export function* base64Lines(content: Uint8Array): Steps<Pieces> {
  const bytes = bufferOf(content)
  const pieces: Buffer[] = []
  // All pieces share it: new memory for each would be as much garbage as the encoded content.
  const encoded = Buffer.allocUnsafe((Math.min(bytesOfPiece, Math.ceil(bytes.length / 3) * 3) / 3) * 4)
  for (let start = 0; start < bytes.length; start += bytesOfPiece) {
    const end = Math.min(start + bytesOfPiece, bytes.length)
    const length = encoded.write(bytes.toString('base64', start, end), 'latin1')
    pieces.push(inLines(encoded.subarray(0, length), end < bytes.length))
    if (end < bytes.length) yield
  }
  return pieces
}

/** Divides base64 into lines. Copying bytes costs a tenth of a string for each line. */
const inLines = (encoded: Buffer, hasNext: boolean): Buffer => {
  const lines = Math.ceil(encoded.length / encodedLine)
  const out = Buffer.allocUnsafe(encoded.length + 2 * (hasNext ? lines : lines - 1))
  let to = 0
  for (let from = 0; from < encoded.length; from += encodedLine) {
    to += encoded.copy(out, to, from, from + encodedLine)
    if (to === out.length) break
    out[to++] = cr
    out[to++] = lf
  }
  return out
}

const hex = Buffer.from('0123456789ABCDEF')
const [tab, lf, cr, space, equals, tilde] = [0x09, 0x0a, 0x0d, 0x20, 0x3d, 0x7e] as const

/**
 * Encodes bytes whose lines end in CRLF as quoted-printable (RFC 2045 §6.7), in one pass and in short steps. The
 * library's encoder wraps lines by regular expressions and is ten times as slow.
 */
function* quotedPrintable(bytes: Uint8Array): Steps<Uint8Array> {
  // At most three octets per byte, and a soft line break of three octets for each line of at least 73.
  const out = Buffer.allocUnsafe(Math.ceil(bytes.length * 3 * (encodedLine / (encodedLine - 3))) + encodedLine)
  const cursor = { from: 0, to: 0, column: 0 }
  while (cursor.from < bytes.length) {
    if (cursor.from > 0) yield
    encodeBytes(bytes, out, cursor)
  }
  return out.subarray(0, cursor.to)
}

/** 1 for each byte that is written as it is anywhere in a line. */
const plainBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte > space && byte <= tilde && byte !== equals),
)

/**
 * Encodes the next bytes. `from` is the index in `bytes`, `to` the index in `out`, `column` the octets of the line so
 * far.
 */
const encodeBytes = (
  bytes: Uint8Array,
  out: Uint8Array,
  cursor: { from: number; to: number; column: number },
): void => {
  let { from, to, column } = cursor
  for (const end = Math.min(from + pieceLength, bytes.length); from < end; from++) {
    const byte = bytes[from] as number
    const next = bytes[from + 1]
    // Most bytes of a text. They fit before the column of a soft line break, so it does not matter what follows.
    if (column < encodedLine - 1 && (plainBytes[byte] === 1 || (byte === space && plainBytes[next as number] === 1))) {
      out[to++] = byte
      column++
      continue
    }
    if (byte === cr && next === lf) {
      out[to++] = cr
      out[to++] = lf
      column = 0
      from++
      continue
    }
    const endsLine = next === undefined || (next === cr && bytes[from + 2] === lf)
    const literal = byte === space || byte === tab ? !endsLine : byte > space && byte <= tilde && byte !== equals
    const width = literal ? 1 : 3
    if (column + width > (endsLine ? encodedLine : encodedLine - 1)) {
      out[to++] = equals
      out[to++] = cr
      out[to++] = lf
      column = 0
    }
    column += width
    if (literal) out[to++] = byte
    else {
      out[to++] = equals
      out[to++] = hex[byte >> 4] as number
      out[to++] = hex[byte & 15] as number
    }
  }
  Object.assign(cursor, { from, to, column })
}
