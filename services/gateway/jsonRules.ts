/** Deepest nesting of arrays and objects. */
export const mostLevels = 32

/** Most values of one text, arrays and objects included: no request needs more, and each costs time. */
export const mostValues = 200_000

/** Names that reach an object's prototype in JavaScript. */
const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

export type JsonFault = {
  code:
    | 'empty_body'
    | 'invalid_utf8'
    | 'byte_order_mark'
    | 'too_deep'
    | 'too_many_values'
    | 'duplicate_key'
    | 'reserved_key'
    | 'invalid_json'
  /** What is wrong. */
  what: string
  /** Why, or what to do. */
  reason?: string
}

/** Names seen in an open object; the set is made only at the second name. */
export type SeenKeys = { keys: Set<string> | null; first: string | null }

export const tooDeep: JsonFault = {
  code: 'too_deep',
  what: `The JSON is nested more than ${mostLevels} levels deep`,
}

export const tooMany: JsonFault = { code: 'too_many_values', what: `The JSON has more than ${mostValues} values` }

/** Returns why an object must not have this name; null: it may. Remembers the name. */
export const keyFault = (object: SeenKeys | undefined, key: string): JsonFault | null => {
  if (reserved.has(key))
    return { code: 'reserved_key', what: `The name ${key} is reserved`, reason: 'use another name' }
  if (!object) return null
  if (object.first === null) {
    object.first = key
    return null
  }
  object.keys ??= new Set([object.first])
  if (object.keys.has(key)) {
    const name = JSON.stringify(key.slice(0, 100))
    return { code: 'duplicate_key', what: `The name ${name} occurs twice in one object`, reason: 'send it once' }
  }
  object.keys.add(key)
  return null
}

const backslash = 0x5c

/** Whether a quote is part of its string: an odd number of backslashes is before it; of two, the first escapes the second. */
export const isEscaped = (text: string, end: number): boolean => {
  let before = end
  while (text.charCodeAt(before - 1) === backslash) before--
  return (end - before) % 2 === 1
}
