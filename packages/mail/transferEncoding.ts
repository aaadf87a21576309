/** A body as it is sent, with its Content-Transfer-Encoding (RFC 2045 §6). */
export type EncodedBody = { encoding: '7bit' | 'quoted-printable' | 'base64'; body: string }

const longestLine = 998
/** RFC 2045 §6.7, §6.8: encoded lines have at most 76 characters. */
const encodedLine = 76
const bytesALine = (encodedLine / 4) * 3

/** Printable ASCII, tabs and line ends: every server passes them on unchanged (RFC 2045 §2.7). */
const sevenBit = /^[\t\n\r -~]*$/

/** Writes every line end as CRLF: at a bare CR or LF some servers end a line and others do not (RFC 5321 §2.3.8). */
export const withCrlf = (text: string): string =>
  text.includes('\r') ? text.replace(/\r\n?|\n/g, '\r\n') : text.replaceAll('\n', '\r\n')

const hasLongLine = (text: string): boolean => {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    if ((end === -1 ? text.length : end - 1) - from > longestLine) return true
    if (end === -1) return false
    from = end + 1
  }
  return false
}

/** Encodes a text part: unchanged if it is 7-bit, in base64 if most of its bytes are not ASCII, else quoted-printable. */
export const encodeText = (text: string): EncodedBody => {
  const lines = withCrlf(text)
  if (sevenBit.test(lines) && !hasLongLine(lines)) return { encoding: '7bit', body: lines }
  const bytes = Buffer.from(lines, 'utf8')
  return mostlyNotAscii(bytes)
    ? { encoding: 'base64', body: base64Lines(bytes) }
    : { encoding: 'quoted-printable', body: quotedPrintable(bytes) }
}

const mostlyNotAscii = (bytes: Uint8Array): boolean => {
  let high = 0
  for (const byte of bytes) if (byte > 0x7f) high++
  return high * 2 > bytes.length
}

export const base64Lines = (content: Uint8Array): string => {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const lines: string[] = []
  for (let from = 0; from < bytes.length; from += bytesALine)
    lines.push(bytes.toString('base64', from, from + bytesALine))
  return lines.join('\r\n')
}

const hex = '0123456789ABCDEF'
const [tab, lf, cr, space, equals, tilde] = [0x09, 0x0a, 0x0d, 0x20, 0x3d, 0x7e] as const

/**
 * Encodes bytes whose lines end in CRLF as quoted-printable (RFC 2045 §6.7), in one pass. The library's encoder wraps
 * lines by regular expressions and is ten times as slow.
 */
const quotedPrintable = (bytes: Uint8Array): string => {
  // At most three octets per byte, and a soft line break of three octets for each line of at least 73.
  const out = Buffer.allocUnsafe(Math.ceil(bytes.length * 3 * (encodedLine / (encodedLine - 3))) + encodedLine)
  let [to, column] = [0, 0]
  for (let from = 0; from < bytes.length; from++) {
    const byte = bytes[from] as number
    if (byte === cr && bytes[from + 1] === lf) {
      to = out.writeUInt16BE(0x0d0a, to)
      column = 0
      from++
      continue
    }
    const next = bytes[from + 1]
    const endsLine = next === undefined || (next === cr && bytes[from + 2] === lf)
    const literal = byte === space || byte === tab ? !endsLine : byte > space && byte <= tilde && byte !== equals
    const width = literal ? 1 : 3
    if (column + width > (endsLine ? encodedLine : encodedLine - 1)) {
      to = out.writeUInt16BE(0x3d0d, to)
      out[to++] = lf
      column = 0
    }
    column += width
    if (literal) out[to++] = byte
    else {
      out[to++] = equals
      out[to++] = hex.charCodeAt(byte >> 4)
      out[to++] = hex.charCodeAt(byte & 15)
    }
  }
  return out.toString('latin1', 0, to)
}
