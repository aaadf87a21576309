/* Comparisons of texts that ignore letter case, for all searches and filters. */

/**
 * Returns a text in which letters that differ only in case are equal, for comparisons and for the index of lists. If a
 * text contains another, so do their results, unless the other text begins with the combining dot of an `i`.
 * `toLowerCase` alone depends on the position of a sigma, and adds this dot to the lower case of `İ` (Unicode
 * SpecialCasing.txt).
 */
export const foldCase = (text: string): string => text.toLowerCase().replaceAll('i\u0307', 'i').replaceAll('ς', 'σ')

/** Returns whether two texts differ at most in letter case. */
export const isSameText = (left: string, right: string): boolean => foldCase(left) === foldCase(right)

/** Returns whether a text has this part; letter case is ignored. */
export const containsText = (text: string, part: string): boolean => foldCase(text).includes(foldCase(part))

/** Letters of ASCII and characters without case, without those to which other characters are folded. */
const plain = /(?:[A-HJLM-Za-hjlm-z]|(?!\u0307)[^\p{Changes_When_Casemapped}\p{C}])+/gu

/**
 * Returns the longest part of a text that has no other form than upper and lower case of ASCII: without letters whose
 * case a store may not fold, and without those to which other characters than ASCII are folded (`İ`, and `K`, the sign
 * for Kelvin). Each text that `containsText` finds has it, if the case of ASCII is ignored, so a store can select by it
 * before `containsText` decides. It may be empty.
 */
export const plainRunOf = (text: string): string =>
  (text.match(plain) ?? [])
    .map((run) => run.toLowerCase())
    .reduce((longest, run) => (run.length > longest.length ? run : longest), '')
