/** What to write in place of a value of the wrong type. Values themselves are not repeated. */

type Place = { path: readonly PropertyKey[]; value: unknown }
type Rule = (wanted: string, got: string, place: Place) => string | null

const addressFields: ReadonlySet<PropertyKey> = new Set(['to', 'cc', 'bcc', 'from_', 'reply_to'])
const timeFields: ReadonlySet<PropertyKey> = new Set(['scheduled_at', 'expires_at', 'created_after', 'created_before'])
const recordFields: ReadonlySet<PropertyKey> = new Set(['headers', 'metadata', 'tags'])

const isOfAddress = ({ path }: Place): boolean => addressFields.has(path[0] ?? '')
const fieldOf = ({ path }: Place): PropertyKey => path.findLast((part) => typeof part === 'string') ?? ''

const isScalar = (got: string): boolean => got === 'a number' || got === 'true or false'
const namesSeveral = (value: unknown): boolean => /[,;]|@[^@]*@/.test(startOf(value))

/** The characters of a text that decide about a hint: all of 15 MiB would take too long. */
const startOf = (value: unknown): string => String(value).slice(0, 1_000)

/** Rules in order of precedence; the first that returns a text wins. */
const rules: readonly Rule[] = [
  (wanted, got, place) => {
    if (wanted !== 'an array' || got !== 'a string' || !isOfAddress(place)) return null
    return namesSeveral(place.value)
      ? 'write one address per entry: ["a@example.com", "b@example.com"]'
      : 'write ["user@example.com"]'
  },
  (_wanted, got, place) =>
    got === 'an object' && isOfAddress(place) ? 'write "Name <user@example.com>" or "user@example.com"' : null,
  (wanted, got, place) =>
    wanted === 'a string' && got === 'an array' && isOfAddress(place) ? 'write one address: "user@example.com"' : null,
  (wanted, got, place) =>
    wanted === 'a string' && got === 'a number' && timeFields.has(fieldOf(place))
      ? 'write an RFC 3339 timestamp, such as "2030-01-31T12:00:00Z"'
      : null,
  (wanted, got) => (wanted === 'a string' && isScalar(got) ? 'write it in double quotes' : null),
  (wanted, got) => (wanted === 'a string' && got === 'an array' ? 'write one text' : null),
  (wanted, got) =>
    (isScalar(wanted) || wanted === 'a whole number') && got === 'a string' ? 'write it without quotes' : null,
  (wanted, got, place) =>
    wanted === 'an object' && got === 'a string' && /^\s*\{/.test(startOf(place.value))
      ? 'write the object itself, not a text that contains it'
      : null,
  (wanted, got, place) =>
    wanted === 'an object' && recordFields.has(fieldOf(place)) && got !== 'null' ? 'write {"name": "value"}' : null,
  (wanted, got, place) =>
    wanted === 'an object' && got === 'a string' && fieldOf(place) === 'attachments'
      ? 'write {"filename": "…", "content": "base64"}'
      : null,
  (wanted, got) => (wanted === 'an array' && got === 'a string' ? 'write it in brackets: ["…"]' : null),
  (wanted, got) => (wanted === 'an array' && got === 'an object' ? 'write it in brackets: [{…}]' : null),
]

/** Returns what to write, as the end of a sentence; empty: nothing is known. */
export const valueHint = (wanted: string, got: string, place: Place): string => {
  for (const rule of rules) {
    const hint = rule(wanted, got, place)
    if (hint !== null) return `; ${hint}`
  }
  return ''
}

/** Returns why a body that is JSON is not the body of a request. */
export const bodyHint = (body: unknown): string => {
  if (Array.isArray(body)) return 'The body must be a JSON object, not an array; send one object per request.'
  if (typeof body === 'string' && /^\s*[{[]/.test(startOf(body))) {
    return 'The body must be a JSON object, not a JSON string that contains one; encode it once.'
  }
  return 'The body must be a JSON object.'
}
