/**
 * Mistakes that people and DNS panels make with a value on its way into DNS. Each step removes one of them; a value
 * that is right after some steps has exactly their mistakes.
 */
type Step = { clean: (text: string, start: string) => string; mistake: string }

const entities: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': ' ',
  '&semi;': ';',
  '&equals;': '=',
  '&#61;': '=',
  '&#59;': ';',
  '&#x3d;': '=',
}

const anyEntity = new RegExp(Object.keys(entities).join('|'), 'gi')

const steps: readonly Step[] = [
  {
    clean: (text) => text.replaceAll(anyEntity, (entity) => entities[entity.toLowerCase()] ?? entity),
    mistake: 'HTML codes such as &quot;',
  },
  { clean: (text) => text.replaceAll(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, ''), mistake: 'invisible characters' },
  { clean: (text) => text.replaceAll(/[“”„«»‘’‚‹›`]/g, '"'), mistake: 'curly quotation marks' },
  { clean: (text) => text.replaceAll(/\\(.)/gs, '$1'), mistake: 'backslashes' },
  {
    // The text before the start has the name or the type of the record, as in a zone file.
    clean: (text, start) => {
      const at = text.toLowerCase().indexOf(start)
      const before = text.slice(0, Math.max(at, 0))
      return /[a-z]/i.test(before) && !before.includes(';') ? text.slice(at) : text
    },
    mistake: 'the name or type of the record',
  },
  // `"abc" "def"` are two strings of one value.
  { clean: (text) => text.replaceAll(/["']\s*["']/g, '').replaceAll(/["']/g, ''), mistake: 'quotation marks' },
]

/** `mistakes` are nouns, such as `quotation marks`. */
export type Cleaned = { text: string; mistakes: string[] }

/**
 * Removes mistakes from a value.
 * @param start how the right value starts, in lower case
 */
export const cleaned = (given: string, start: string): Cleaned => {
  let text = given
  const mistakes: string[] = []
  for (const { clean, mistake } of steps) {
    const next = clean(text, start)
    if (next !== text && !(mistake === 'quotation marks' && mistakes.includes('curly quotation marks')))
      mistakes.push(mistake)
    text = next
  }
  return { text: text.trim(), mistakes }
}

/** Removes white space inside a value that has none. */
export const withoutSpaces = ({ text, mistakes }: Cleaned): Cleaned => {
  const next = text.replaceAll(/\s+/g, '')
  return next === text ? { text, mistakes } : { text: next, mistakes: [...mistakes, 'spaces'] }
}

/** Writes the sentence with the fix. */
export const mistakesSentence = (name: string, mistakes: readonly string[]): string =>
  `The value at ${name} contains ${listed(mistakes)}; remove ${mistakes.length === 1 && mistakes[0]?.startsWith('the ') ? 'it' : 'them'}, so that only the value shown is left.`

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
