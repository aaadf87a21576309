import { hash } from 'node:crypto'

/** The one spelling of a JSON value: members sorted by name, no white space. Depth is bounded by the reader. */
export const canonicalJson = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`).join(',')}}`
}

/** What tells two bodies apart whatever the order of their members: SHA-256 of the canonical form. */
export const fingerprint = (value: unknown): Buffer => hash('sha256', canonicalJson(value), 'buffer')
