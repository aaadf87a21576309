/** Deepest nesting of arrays and objects. */
export const maxLevels = 32

/** Maximum number of values of one text, arrays and objects included: no request needs more, and each costs time. */
export const maxValues = 200_000

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

export const tooDeep: JsonFault = {
  code: 'too_deep',
  what: `The JSON is nested more than ${maxLevels} levels deep`,
}

export const tooMany: JsonFault = { code: 'too_many_values', what: `The JSON has more than ${maxValues} values` }

/** Returns why an object must not have this name; null: it may. @param isGiven whether the object has it already */
export const nameFault = (name: string, isGiven: boolean): JsonFault | null => {
  if (reserved.has(name))
    return { code: 'reserved_key', what: `The name ${name} is reserved`, reason: 'use another name' }
  if (!isGiven) return null
  const shown = JSON.stringify(name.slice(0, 100))
  return { code: 'duplicate_key', what: `The name ${shown} occurs twice in one object`, reason: 'send it once' }
}

const backslash = 0x5c

/**
 * Returns whether a quote is part of its string: an odd number of backslashes is before it; of two, the first escapes
 * the second.
 */
export const isEscaped = (text: string, end: number): boolean => {
  let before = end
  while (text.charCodeAt(before - 1) === backslash) before--
  return (end - before) % 2 === 1
}
