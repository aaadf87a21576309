/** Deepest nesting of arrays and objects. */
export const deepest = 32

/** Most values in one text: nothing that is asked for here has so many, and each costs time. */
const mostValues = 200_000

/** Names that reach an object's prototype in JavaScript, whoever reads the value later. */
const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

export type JsonFault = { code: 'too_deep' | 'too_many_values' | 'duplicate_key' | 'reserved_key'; message: string }

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const colon = 0x3a
const comma = 0x2c
const space = 0x20

/** What stands open: the keys seen in an object, made at its first one; null for an array. */
type Open = { keys: Set<string> | null; first: string | null }

const tooDeep: JsonFault = { code: 'too_deep', message: `The JSON is nested over ${deepest} levels deep.` }

const tooMany: JsonFault = { code: 'too_many_values', message: `The JSON has over ${mostValues} values.` }

/**
 * Looks over a JSON text for what `JSON.parse` takes in silence: a name twice in one object, names of the prototype, deep
 * nesting. One pass without recursion. Whether it is JSON at all is left to the parser that runs after.
 */
export const scanJson = (text: string): JsonFault | null => {
  const open: Open[] = []
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const start = at + 1
      at = stringEnd(text, start)
      if (!isKey(text, at)) continue
      const fault = seen(open.at(-1), keyText(text.slice(start, at)))
      if (fault) return fault
    } else if (code === openBrace || code === openBracket) {
      if (open.length === deepest) return tooDeep
      open.push({ keys: null, first: null })
    } else if (code === closeBrace || code === closeBracket) open.pop()
    else if (code === comma && ++values === mostValues) return tooMany
  }
  return null
}

/** Where the string that starts at `start` ends: at the next quote that no backslash escapes. */
const stringEnd = (text: string, start: number): number => {
  let end = text.indexOf('"', start)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

/** An odd number of backslashes before it; of two, the first escapes the second. */
const isEscaped = (text: string, at: number): boolean => {
  let before = at
  while (text.charCodeAt(before - 1) === backslash) before--
  return (at - before) % 2 === 1
}

/** Whether a colon comes next: then the string before it names a member. */
const isKey = (text: string, end: number): boolean => {
  let at = end + 1
  while (text.charCodeAt(at) <= space) at++
  return text.charCodeAt(at) === colon
}

/** The name as the parser will read it, so that no escape hides one. */
const keyText = (raw: string): string => {
  if (!raw.includes('\\')) return raw
  try {
    return JSON.parse(`"${raw}"`)
  } catch {
    return raw
  }
}

const seen = (object: Open | undefined, key: string): JsonFault | null => {
  if (reserved.has(key))
    return { code: 'reserved_key', message: `The name ${key} is reserved and can't be used in JSON here.` }
  if (!object) return null
  if (object.first === null) {
    object.first = key
    return null
  }
  object.keys ??= new Set([object.first])
  if (object.keys.has(key)) {
    return {
      code: 'duplicate_key',
      message: `The name ${JSON.stringify(key.slice(0, 100))} stands twice in one object.`,
    }
  }
  object.keys.add(key)
  return null
}
