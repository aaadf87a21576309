/** Returns a pattern that matches where any of these does. */
export const anyOf = (...patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join('|'))

/** Returns a pattern that matches where any of these phrases stands, also as a part of a word. */
export const wordsOf = (phrases: readonly string[]): RegExp =>
  new RegExp(phrases.map((phrase) => phrase.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'))

/** Returns a pattern of a position that does not follow any of these. */
export const notAfter = (...patterns: readonly RegExp[]): RegExp => new RegExp(`(?<!${anyOf(...patterns).source})`)

/** Returns a pattern of a position that none of these follows. */
export const notBefore = (...patterns: readonly RegExp[]): RegExp => new RegExp(`(?!${anyOf(...patterns).source})`)

/**
 * Returns the pattern that a template writes, with each pattern in it as one group: `${subjects} (?:is )?${states}`.
 */
export const pattern = ({ raw }: TemplateStringsArray, ...parts: readonly RegExp[]): RegExp =>
  new RegExp(raw.map((text, index) => text + (parts[index] ? `(?:${parts[index].source})` : '')).join(''))
