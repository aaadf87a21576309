import { compile, type DomNode, type FormatCallback } from 'html-to-text'
import { lazy } from './lazy.ts'
import { breakLongWords } from './longWords.ts'
import { roughText } from './roughText.ts'
import type { Steps } from './steps.ts'
import { isDrawn } from './text.ts'

/**
 * What the library converts; longer HTML is converted more simply. It cannot pause: 4,000 tags take 12 to 25 ms, and
 * 128 KiB of text as long. `lines` counts line breaks and references, which may be line breaks of preformatted text.
 */
const ofLibrary = { characters: 128 * 1_024, tags: 4_000, lines: 20_000 }
/** Real mail nests tables a few dozen levels deep. */
const deepest = 400
/** RFC 5322 §2.1.1: lines should have at most 78 characters. */
const lineLength = 78

/**
 * Elements that are open, and whether there were too many at the same time. Then the result is not used, and the rest
 * is skipped.
 */
type Nesting = {
  quotes: number
  links: number
  max: { quotes: number; links: number }
  isTooDeep: boolean
  /** The builder of the conversion breaks long words. */
  breaksWords: boolean
}

/** Each quote or list repeats the work on every line inside, each link that on every word. */
const maxNested = { quotes: 10, links: 1 }

/** Lines in all quotes and lists together: a line counts once for each that it is in. A tag may add four lines. */
const maxQuotedLines = 6_000

/** Returns the nesting of the conversion that runs: its metadata, which the types of the library omit. */
const nestingOf = (builder: unknown): Nesting => (builder as { metadata: Nesting }).metadata

/**
 * Returns a formatter of the library that counts its nesting. It is counted in the parsed HTML: in the source, a
 * closing tag may stand in a comment or in an attribute, or close nothing.
 */
const nested =
  (kind: 'quotes' | 'links', format: string, prepare?: (element: DomNode) => void): FormatCallback =>
  (element, walk, builder, options) => {
    const nesting = nestingOf(builder)
    if (nesting[kind] === nesting.max[kind]) nesting.isTooDeep = true
    if (nesting.isTooDeep) return
    prepare?.(element)
    nesting[kind] += 1
    builder.options.formatters?.[format]?.(element, walk, builder, options)
    nesting[kind] -= 1
  }

/**
 * Elements that the library formats before any text: this one stands before the HTML, and `body` replaces all that is
 * outside it.
 */
const firstElement = 'start-of-mail'

/** Prepares the builder, which the library passes to formatters only. */
const first: FormatCallback = ({ children }, walk, builder) => {
  const nesting = nestingOf(builder)
  if (!nesting.breaksWords) breakLongWords(builder)
  nesting.breaksWords = true
  walk(children, builder)
}

/** Roman numerals end here. */
const maxRoman = 3_999

/**
 * Makes the numbers of a list valid: the library throws for Roman numerals of other numbers, and writes control
 * characters for letters of what is no number.
 */
const withValidNumbers = (list: DomNode): void => {
  const { attribs, children } = list
  const first = Number.parseInt(attribs['start'] ?? '1', 10)
  // HTML has 32-bit numbers here (HTML Standard, section 4.4.5).
  const start = Math.abs(first) < 2 ** 31 ? first : 1
  attribs['start'] = String(start)
  if (start < 1 || start + children.length > maxRoman) attribs['type'] = '1'
}

type Convert = (html: string, metadata: Nesting) => string

/** Compiled at the first use: that takes 20 ms of CPU, and most mail has a text of its own. */
const converter = lazy(
  (): Convert =>
    compile({
      wordwrap: lineLength,
      limits: { maxDepth: deepest, ellipsis: '' },
      // No word has this character. Without one, the library splits long words after the `u` of "undefined".
      longWordSplit: { wrapCharacters: ['\n'] },
      selectors: [
        { selector: firstElement, format: 'first' },
        { selector: 'body', format: 'first' },
        {
          selector: 'a[href]',
          format: 'link',
          options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true, linkBrackets: ['[', ']'] },
        },
        { selector: 'blockquote', format: 'quote' },
        { selector: 'ul', format: 'bullets' },
        { selector: 'ol', format: 'numbers' },
        // A picture is replaced by its alt text; its URL is useless in a text.
        { selector: 'img', format: 'altText' },
        ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
        // Most tables in mail are layout. A line per row and a space between cells suits layout and data.
        { selector: 'table', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
        { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
        { selector: 'td', format: 'inlineSurround', options: { suffix: ' ' } },
        { selector: 'th', format: 'inlineSurround', options: { suffix: ' ' } },
        ...['head', 'title', 'script', 'style', 'template'].map((selector) => ({ selector, format: 'skip' })),
      ],
      formatters: {
        first,
        link: nested('links', 'anchor'),
        quote: nested('quotes', 'blockquote'),
        bullets: nested('quotes', 'unorderedList'),
        numbers: nested('quotes', 'orderedList', withValidNumbers),
        altText: (element, _walk, builder) => {
          builder.addInline(element.attribs['alt'] ?? '')
        },
      },
    }),
)

/**
 * Returns the text part for mail that has only HTML: readable, with its links, and not much longer than the HTML.
 * Empty: the HTML has no visible text. It has short steps.
 */
export function* plainTextSteps(html: string): Steps<string> {
  const text = yield* converted(html)
  if (!isDrawn(text)) return ''
  if (!(yield* hasMarksOnly(text))) return text
  yield
  const isLong = html.length > ofLibrary.characters
  const ownText = yield* isLong ? roughText(html, '\n') : converted(html.replace(marked, ' '))
  return isDrawn(ownText) ? text : ''
}

function* converted(html: string): Steps<string> {
  const nesting = nestingFor(html)
  const text = nesting && byLibrary(html, nesting)
  const isShort = text !== null && text.length <= maxGrowth * html.length + 4_096
  return isShort ? text : yield* roughText(html)
}

/** Returns the nesting at the start, or null if the HTML is too long for the library. */
const nestingFor = (html: string): Nesting | null => {
  if (html.length > ofLibrary.characters) return null
  const lines = occurrences(html, '\n') + occurrences(html, '&')
  const tags = occurrences(html, '<')
  if (tags > ofLibrary.tags || lines > ofLibrary.lines) return null
  // A tag may begin a line too.
  const quotes = Math.min(maxNested.quotes, Math.floor(maxQuotedLines / (lines + tags + 1)))
  return { quotes: 0, links: 0, max: { ...maxNested, quotes }, isTooDeep: false, breaksWords: false }
}

/** The tags of lists, quotes and lines, which a text shows by marks. */
const marked = /<\/?(?:ul|ol|li|blockquote|hr)\b[^<>]*>/gi
const mark = /[\s>*-]{1,1000}|[\da-z]{1,12}\.(?!\S)/iy
/** Marks between two pauses. */
const marksOfStep = 4_096

/**
 * Whether a text is nothing but marks of lists, quotes and lines. A text with words ends the search at the first of
 * them.
 */
function* hasMarksOnly(text: string): Steps<boolean> {
  for (let at = 0, count = 1; at < text.length; count += 1) {
    mark.lastIndex = at
    if (!mark.test(text)) return false
    at = mark.lastIndex
    if (count % marksOfStep === 0) yield
  }
  return true
}

/**
 * Maximum ratio of the characters of the text to those of the HTML. A longer text comes from elements that repeat a
 * prefix or a line.
 */
const maxGrowth = 8

/** Returns null if quotes, lists or links are nested too deep. */
const byLibrary = (html: string, nesting: Nesting): string | null => {
  const text = converter()(`<${firstElement}></${firstElement}>${html}`, nesting)
  return nesting.isTooDeep ? null : withoutTrailingSpaces(text)
}

const occurrences = (text: string, character: string): number => {
  let count = 0
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count += 1
  return count
}

const withoutTrailingSpaces = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
