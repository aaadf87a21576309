const bareLineEnd = /\r(?!\n)|(?<!\r)\n/

/**
 * Returns the bytes between DATA and the final dot: each line that begins with a dot gets another one (RFC 5321 §4.5.2).
 * When no line begins with a dot, even for a server that accepts a bare CR or LF as a line end, nothing can end the
 * message early, and the bytes are returned unchanged. Three searches find that out.
 * @throws Error when a line begins with a dot and the bytes contain a bare CR or LF, which could end the message early
 */
export const dotStuff = (raw: Uint8Array): Buffer => {
  const bytes = Buffer.isBuffer(raw) ? raw : Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  if (bytes[0] !== 0x2e && bytes.indexOf('\n.', 0, 'latin1') === -1 && bytes.indexOf('\r.', 0, 'latin1') === -1)
    return bytes
  if (bareLineEnd.test(bytes.toString('latin1')))
    throw new Error('the message has a bare CR or LF and a line that begins with a dot')
  return stuffed(bytes)
}

const stuffed = (bytes: Buffer): Buffer => {
  const dot = Buffer.from('.')
  const parts: Buffer[] = bytes[0] === 0x2e ? [dot] : []
  let start = 0
  for (let at = bytes.indexOf('\r\n.'); at !== -1; at = bytes.indexOf('\r\n.', start)) {
    parts.push(bytes.subarray(start, at + 2), dot)
    start = at + 2
  }
  parts.push(bytes.subarray(start))
  return Buffer.concat(parts)
}

/** Returns the text that ends the message: a dot on its own line. The CRLF after DATA counts (RFC 5321 §4.1.1.4). */
export const finalDot = (bytes: Uint8Array): string =>
  bytes.length === 0 || (bytes.at(-1) === 0x0a && bytes.at(-2) === 0x0d) ? '.\r\n' : '\r\n.\r\n'
