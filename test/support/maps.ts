/**
 * Returns the maps among the comments of a file: those that describe the files of its folder, so they name at least
 * half of them, and at least three.
 * @param others the names of the other files of the folder, without endings
 */
export const mapsIn = (comments: readonly string[], others: readonly string[]): string[] =>
  others.length < 3
    ? []
    : comments.filter((comment) => {
        const words = new Set(comment.match(/\w+/g))
        const named = others.filter((name) => words.has(name)).length
        return named >= 3 && named >= others.length / 2
      })
