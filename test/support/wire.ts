import assert from 'node:assert/strict'
import type { Email } from 'postal-mime'

/** What every message must keep on the wire: CRLF alone ends lines, none is over 998 octets, all is 7bit (RFC 5322 §2.1.1, RFC 2045 §2.7). */
export const assertWireSafe = (raw: Uint8Array): void => {
  const text = Buffer.from(raw).toString('latin1')
  const bare = /(?<!\r)\n|\r(?!\n)/.exec(text)
  assert.equal(bare, null, `bare CR or LF at ${bare?.index}`)
  const longest = Math.max(...text.split('\r\n').map((line) => line.length))
  assert.ok(longest <= 998, `a line of ${longest} octets`)
  assert.equal(
    [...text].find((char) => char.charCodeAt(0) > 126 || char === '\0'),
    undefined,
    '7bit only',
  )
}

/** Values of a header field, unfolded; empty where it isn't there. */
export const headerValues = (mail: Email, name: string): string[] =>
  mail.headers.filter((one) => one.key === name.toLowerCase()).map((one) => one.value)

/** Names of all header fields, in order, lower case. */
export const headerNames = (mail: Email): string[] => mail.headers.map((one) => one.key)

/** The encodings of a message's parts, by their type: `text/plain` → `7bit`. */
export const partEncodings = (raw: Uint8Array): Record<string, string> => {
  const found: Record<string, string> = {}
  for (const head of Buffer.from(raw).toString('latin1').split('\r\n\r\n')) {
    const unfolded = head.replaceAll(/\r\n[ \t]+/g, ' ')
    const type = /^content-type: *([^;\r\n]+)/im.exec(unfolded)?.[1]
    const encoding = /^content-transfer-encoding: *(\S+)/im.exec(unfolded)?.[1]
    if (type !== undefined && !type.startsWith('multipart/'))
      found[type.trim().toLowerCase()] = (encoding ?? '7bit').toLowerCase()
  }
  return found
}
