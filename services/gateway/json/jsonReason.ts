/*
 * Why a text is not JSON, for a person who must find the position. The most frequent causes in requests written by hand
 * have their own sentence. Nothing of the text itself is repeated, except single signs and the words below.
 */

export type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing'

const expectations: Readonly<Record<Expected, string>> = {
  value: 'expected a value',
  'value or end': 'expected a value or “]”',
  key: 'expected a name in double quotes',
  'key or end': 'expected a name in double quotes or “}”',
  colon: 'expected “:” after the name',
  'comma or end': 'expected “,” or the end of the array or object',
  nothing: 'expected nothing after the end of the JSON',
}

const quoteSigns = "'`‘’‚“”„«»"
const words: Readonly<Record<string, string>> = {
  True: 'true',
  TRUE: 'true',
  False: 'false',
  FALSE: 'false',
  None: 'null',
  NULL: 'null',
  Null: 'null',
  nil: 'null',
  undefined: 'null',
  NaN: 'null',
  Infinity: 'null',
}

const formField = /^\s*[\w.[\]%-]{1,60}=/

const wantsName = (expected: Expected): boolean => expected === 'key' || expected === 'key or end'
const wantsValue = (expected: Expected): boolean => expected === 'value' || expected === 'value or end'

/** Rules in order of precedence; the first that returns a text wins. */
type Rule = (sign: string, expected: Expected, text: string, at: number) => string | null

const rules: readonly Rule[] = [
  (_sign, _expected, text, at) =>
    isFirst(text, at) && formField.test(text) ? 'this is form data; send a JSON object' : null,
  (sign, expected, text, at) =>
    sign === '<' && expected === 'value' && isFirst(text, at) ? 'this is XML or HTML; send a JSON object' : null,
  (sign) => (sign !== '' && quoteSigns.includes(sign) ? 'use straight double quotes (")' : null),
  (sign, expected, text, at) =>
    (sign === '}' && expected === 'key') || (sign === ']' && expected === 'value' && isAfterComma(text, at))
      ? `remove the comma before “${sign}”`
      : null,
  (sign, expected, text, at) =>
    expected === 'comma or end' && text[at - 1] === '"' && !'}]"'.includes(sign)
      ? 'expected “,” or the end of the array or object; a quote inside a string is written \\"'
      : null,
  (sign, _expected, text, at) =>
    sign === '#' || (sign === '/' && '/*'.includes(text.charAt(at + 1) || '?')) ? 'JSON has no comments' : null,
  (sign, expected) => (wantsName(expected) && /[\w$]/.test(sign) ? 'write the name in double quotes' : null),
  (_sign, expected, text, at) => (wantsValue(expected) ? wordReason(text, at) : null),
  (sign) => (sign === '\u00a0' || sign === '\ufeff' ? 'there is an invisible character; delete it' : null),
  (sign, expected) => (sign === '"' && expected === 'comma or end' ? 'expected “,” before this quote' : null),
]

const isAfterComma = (text: string, at: number): boolean =>
  text
    .slice(Math.max(0, at - 200), at)
    .trimEnd()
    .endsWith(',')

const isFirst = (text: string, at: number): boolean => text.slice(0, Math.min(at, 100)).trim() === '' && at < 100

const word = /[\w.+-]{1,40}/y

const wordReason = (text: string, at: number): string | null => {
  word.lastIndex = at
  const found = word.exec(text)?.[0]
  if (found === undefined) return null
  const meant = Object.hasOwn(words, found) ? words[found] : undefined
  if (meant !== undefined) return `write ${meant} instead of ${found}`
  if (/^[-+.]?\d/.test(found)) return 'this is not a number of JSON, such as 1, -2.5 or 1e3'
  return 'write text in double quotes; only true, false and null have none'
}

/** Returns why the text cannot go on as it does at `at`; `at` is the length of the text: it ends too early. */
export const jsonReason = (text: string, at: number, expected: Expected): string => {
  if (at >= text.length) return `${expectations[expected]}, but the body ends here`
  const sign = String.fromCodePoint(text.codePointAt(at) ?? 0)
  for (const rule of rules) {
    const reason = rule(sign, expected, text, at)
    if (reason !== null) return reason
  }
  return expectations[expected]
}

const controls: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 §7 excludes them.
const allowedInString = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|[^\\\0-\x1f]+/y

/** Finds the first character of a piece of a string that JSON does not allow there (RFC 8259 §7). */
export const stringReason = (piece: string): { at: number; reason: string } => {
  let at = 0
  allowedInString.lastIndex = 0
  while (allowedInString.test(piece)) at = allowedInString.lastIndex
  const sign = piece.charAt(at)
  if (sign === '\\') {
    return { at, reason: 'there is no such escape; use \\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u with four digits' }
  }
  const written = controls[sign] ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
  return { at, reason: `a string must not contain this control character; write ${written}` }
}
