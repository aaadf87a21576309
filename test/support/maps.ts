/** Files that a map need not name: they have the same job in every folder that has them. */
const wellKnown = new Set(['auditEntries', 'config', 'deps', 'main', 'metrics'])

/**
 * Returns the names that a map lacks.
 * @param others the names of the other files of the folder, without endings
 */
export const lacking = (map: string, others: readonly string[]): string[] => {
  const words = new Set(map.match(/\w+/g))
  return others.filter((name) => !words.has(name) && !wellKnown.has(name))
}

/**
 * Returns the maps among the comments of a file: those of several lines that name at least half of the other files of
 * its folder, and at least three. A shorter comment may use the words of some names.
 * @param others the names of the other files of the folder, without endings
 */
export const mapsIn = (comments: readonly string[], others: readonly string[]): string[] => {
  const expected = others.filter((name) => !wellKnown.has(name))
  return comments.filter((comment) => {
    const named = expected.length - lacking(comment, expected).length
    return comment.includes('\n') && named >= 3 && named >= expected.length / 2
  })
}
