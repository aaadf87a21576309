import assert from 'node:assert/strict'
import type { Email } from 'postal-mime'

/**
 * Asserts the rules of every message sent with SMTP: lines end with CRLF and have at most 998 octets, and all octets
 * are 7bit (RFC 5322 §2.1.1, RFC 2045 §2.7).
 */
export const assertSmtpSafe = (raw: Uint8Array): void => {
  const text = Buffer.from(raw).toString('latin1')
  const bare = /(?<!\r)\n|\r(?!\n)/.exec(text)
  assert.equal(bare, null, `bare CR or LF at ${bare?.index}`)
  const longest = Math.max(...text.split('\r\n').map((line) => line.length))
  assert.ok(longest <= 998, `a line has ${longest} octets`)
  assert.equal(
    raw.find((octet) => octet > 126 || octet === 0),
    undefined,
    'an octet is not 7bit',
  )
}

/** Returns the unfolded values of a header field; empty if the field is absent. */
export const headerValues = (mail: Email, name: string): string[] =>
  mail.headers.filter(({ key }) => key === name.toLowerCase()).map(({ value }) => value)

/** Returns the names of all header fields in order, in lower case. */
export const headerNames = (mail: Email): string[] => mail.headers.map(({ key }) => key)

/** Returns the encodings of a message's parts by type: `text/plain` → `7bit`. */
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
