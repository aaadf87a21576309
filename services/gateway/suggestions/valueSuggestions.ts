/* What to write in place of a value of the wrong type. Values themselves are not repeated. */

type Found = { path: readonly PropertyKey[]; value: unknown }
type Rule = (wanted: string, got: string, found: Found) => string | null

const addressFields: ReadonlySet<PropertyKey> = new Set(['to', 'cc', 'bcc', 'from_', 'reply_to'])
const timeFields: ReadonlySet<PropertyKey> = new Set(['scheduled_at', 'expires_at', 'created_after', 'created_before'])
const recordFields: ReadonlySet<PropertyKey> = new Set(['headers', 'metadata', 'tags'])

const isOfAddress = ({ path }: Found): boolean => addressFields.has(path[0] ?? '')
const fieldOf = ({ path }: Found): PropertyKey => path.findLast((part) => typeof part === 'string') ?? ''

const isScalar = (got: string): boolean => got === 'a number' || got === 'true or false'
const namesSeveral = (value: unknown): boolean => /[,;]|@[^@]*@/.test(startOf(value))

/** The characters of a text that decide about a suggestion: all of 15 MiB would take too long. */
const startOf = (value: unknown): string => String(value).slice(0, 1_000)

/** Rules in order of precedence; the first that returns a text wins. */
const rules: readonly Rule[] = [
  (wanted, got, found) => {
    if (wanted !== 'an array' || got !== 'a string' || !isOfAddress(found)) return null
    return namesSeveral(found.value)
      ? 'write one address per entry: ["a@example.com", "b@example.com"]'
      : 'write ["user@example.com"]'
  },
  (_wanted, got, found) =>
    got === 'an object' && isOfAddress(found) ? 'write "Name <user@example.com>" or "user@example.com"' : null,
  (wanted, got, found) =>
    wanted === 'a string' && got === 'an array' && isOfAddress(found) ? 'write one address: "user@example.com"' : null,
  (wanted, got, found) =>
    wanted === 'a string' && got === 'a number' && timeFields.has(fieldOf(found))
      ? 'write an RFC 3339 timestamp, such as "2030-01-31T12:00:00Z"'
      : null,
  (wanted, got) => (wanted === 'a string' && isScalar(got) ? 'write it in double quotes' : null),
  (wanted, got) => (wanted === 'a string' && got === 'an array' ? 'write one text' : null),
  (wanted, got) =>
    (isScalar(wanted) || wanted === 'a whole number') && got === 'a string' ? 'write it without quotes' : null,
  (wanted, got, found) =>
    wanted === 'an object' && got === 'a string' && /^\s*\{/.test(startOf(found.value))
      ? 'write the object itself, not a text that contains it'
      : null,
  (wanted, got, found) =>
    wanted === 'an object' && recordFields.has(fieldOf(found)) && got !== 'null' ? 'write {"name": "value"}' : null,
  (wanted, got, found) =>
    wanted === 'an object' && got === 'a string' && fieldOf(found) === 'attachments'
      ? 'write {"filename": "…", "content": "base64"}'
      : null,
  (wanted, got) => (wanted === 'an array' && got === 'a string' ? 'write it in brackets: ["…"]' : null),
  (wanted, got) => (wanted === 'an array' && got === 'an object' ? 'write it in brackets: [{…}]' : null),
]

/** Returns what to write, as the end of a sentence; empty: nothing is known. */
export const valueSuggestion = (wanted: string, got: string, found: Found): string => {
  for (const rule of rules) {
    const suggestion = rule(wanted, got, found)
    if (suggestion !== null) return `; ${suggestion}`
  }
  return ''
}

/** Returns why a body that is JSON is not the body of a request. */
export const bodySuggestion = (body: unknown): string => {
  if (Array.isArray(body)) return 'The body must be a JSON object, not an array; send one object per request.'
  if (typeof body === 'string' && /^\s*[{[]/.test(startOf(body))) {
    return 'The body must be a JSON object, not a JSON string that contains one; encode it once.'
  }
  return 'The body must be a JSON object.'
}
