const bareLineEnd = /\r(?!\n)|(?<!\r)\n/

/**
 * The bytes as they go between DATA and the final dot: a dot more before each line that begins with one
 * (RFC 5321 §4.5.2). Where no line begins with a dot, also by the lights of a server that takes a bare CR or LF for a
 * line end, the bytes themselves: then nothing in them can end the message early, so two searches are the whole check.
 * @throws Error where a line begins with a dot and the bytes hold a bare CR or LF: they could end the message early
 */
export const dotStuff = (raw: Uint8Array): Buffer => {
  const bytes = Buffer.isBuffer(raw) ? raw : Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  if (bytes[0] !== 0x2e && bytes.indexOf('\n.', 0, 'latin1') === -1 && bytes.indexOf('\r.', 0, 'latin1') === -1)
    return bytes
  if (bareLineEnd.test(bytes.toString('latin1')))
    throw new Error('the message holds a bare CR or LF and a line with a dot')
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

/** What ends the message: the dot must stand on its own line, for which the CRLF of DATA will do (RFC 5321 §4.1.1.4). */
export const finalDot = (bytes: Uint8Array): string =>
  bytes.length === 0 || (bytes.at(-1) === 0x0a && bytes.at(-2) === 0x0d) ? '.\r\n' : '\r\n.\r\n'
