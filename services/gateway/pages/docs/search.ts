/* The search over all pages: one list of entries, made once, and compared with the words of a query. */

export type SearchEntry = {
  url: string
  title: string
  /** The page that it is part of. */
  place: string
  /** What a result shows, and what is searched last. */
  text: string
  /** Names of the entry: the path of an operation, fields, a code. */
  names: string
}

export type SearchResult = { url: string; title: string; place: string; excerpt: string }

/**
 * Maximum number of characters and words of a query that are read. Unauthenticated clients send queries, so each has a
 * bounded cost.
 */
export const queryLimits = { characters: 100, words: 8 } as const

/**
 * Returns the words of a text, joined by spaces and with one in front, so that ` ab` finds words that begin with `ab`.
 */
const wordsOf = (text: string): string => {
  const words = text
    // A name such as `sendEmail` is one word and two.
    .replaceAll(/[A-Za-z][a-z]+(?:[A-Z][a-z]+)+/g, (name) => `${name} ${name.replaceAll(/(?=[A-Z])/g, ' ')}`)
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, ' ')
  return ` ${words.trim()} `
}

/** An entry with its words as `wordsOf` returns them. */
export type PreparedEntry = SearchEntry & { titleWords: string; nameWords: string; textWords: string }

/** Prepares all entries for the search. This takes 20 ms, so it belongs into a thread. */
export const preparedEntries = (entries: readonly SearchEntry[]): PreparedEntry[] =>
  entries.map((entry) => ({
    ...entry,
    titleWords: wordsOf(entry.title),
    nameWords: wordsOf(`${entry.names} ${entry.place}`),
    textWords: wordsOf(entry.text),
  }))

/** A word of a query as it is looked for: as the beginning of a word, and as a whole one. */
type Word = { begins: string; whole: string }

/** Points for a word that is in the title, the names or the text; 0: it is nowhere. */
const points = ({ titleWords, nameWords, textWords }: PreparedEntry, { begins, whole }: Word): number => {
  if (titleWords.includes(whole)) return 12
  if (titleWords.includes(begins)) return 8
  if (nameWords.includes(whole)) return 5
  if (nameWords.includes(begins)) return 3
  return textWords.includes(begins) ? 1 : 0
}

/** @param query all words, with a space on both sides */
const score = (entry: PreparedEntry, words: readonly Word[], query: string): number => {
  let sum = 0
  for (const word of words) {
    const found = points(entry, word)
    if (found === 0) return 0
    sum += found
  }
  // The query is a title, or the name that stands first: that of an operation or the code of an error.
  if (entry.nameWords.startsWith(query)) sum += 30
  return entry.titleWords === query ? sum + 20 : sum
}

const excerptLength = 160

const excerptOf = ({ text }: SearchEntry, words: readonly string[]): string => {
  const lower = text.toLowerCase()
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0))
  if (text.length <= excerptLength) return text
  const wanted = Number.isFinite(first) ? Math.max(0, first - 40) : 0
  const from = wanted === 0 ? 0 : text.indexOf(' ', wanted) + 1
  const end = text.lastIndexOf(' ', from + excerptLength)
  return `${from > 0 ? '… ' : ''}${text.slice(from, end > from ? end : from + excerptLength)} …`
}

/** Returns the search: the best results first; each result has all words of the query or words that begin with them. */
export const makeSearch =
  (prepared: readonly PreparedEntry[]) =>
  (query: string, limit: number): SearchResult[] => {
    const normalized = query.slice(0, queryLimits.characters).toLowerCase().normalize('NFKD')
    const words = normalized
      .split(/[^a-z0-9]+/)
      .filter((word) => word !== '')
      .slice(0, queryLimits.words)
    if (words.length === 0) return []
    const whole = ` ${words.join(' ')} `
    const sought = words.map((word): Word => ({ begins: ` ${word}`, whole: ` ${word} ` }))
    const found: { entry: PreparedEntry; points: number }[] = []
    for (const entry of prepared) {
      const points = score(entry, sought, whole)
      if (points > 0) found.push({ entry, points })
    }
    return found
      .sort((left, right) => right.points - left.points)
      .slice(0, limit)
      .map(({ entry }) => ({
        url: entry.url,
        title: entry.title,
        place: entry.place,
        excerpt: excerptOf(entry, words),
      }))
  }
