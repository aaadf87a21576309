/**
 * Reads a tag list such as `v=DKIM1; k=rsa; p=…` (RFC 6376 §3.2), which DMARC records use too (RFC 7489 §6.3). White
 * space around names and values is removed. Names are case-sensitive. A part without `=` and a repeated name are
 * malformed.
 * @returns null: malformed
 */
export const readTagList = (text: string): Map<string, string> | null => {
  const tags = new Map<string, string>()
  const parts = text.split(';')
  // RFC 6376 §3.2: one semicolon may end the list.
  if (parts.at(-1)?.trim() === '') parts.pop()
  for (const part of parts) {
    const at = part.indexOf('=')
    const name = part.slice(0, at).trim()
    if (at < 1 || !/^[a-z][a-z0-9_]*$/i.test(name) || tags.has(name)) return null
    tags.set(name, part.slice(at + 1).trim())
  }
  return tags
}
