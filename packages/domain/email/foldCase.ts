/**
 * Returns a text in which letters that differ only in case are equal, for comparisons and for the index of lists. If a text
 * contains another, so do their results. `toLowerCase` alone depends on the position of a sigma, and adds a dot to the lower
 * case of `İ` (Unicode SpecialCasing.txt).
 */
export const foldCase = (text: string): string => text.toLowerCase().replaceAll('i\u0307', 'i').replaceAll('ς', 'σ')
