import type { Steps } from './steps.ts'

/** Closing tags of the elements whose content is not shown. */
const hidden: ReadonlyMap<string, RegExp> = new Map([
  ['script', /<\/script/gi],
  ['style', /<\/style/gi],
  ['title', /<\/title/gi],
  ['template', /<\/template/gi],
])
const blocks = ['p', 'div', 'table', 'tr', 'ul', 'ol', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre']
const sections = ['section', 'article', 'header', 'footer']
/** What stands for a tag in the text, by the name of the tag. The item of a list is an argument. */
const gaps: ReadonlyMap<string, '\n' | ' '> = new Map([
  ...[...blocks, ...sections].flatMap((name) => [[name, '\n'] as const, [`/${name}`, '\n'] as const]),
  ...['br', 'br/', 'hr', 'hr/'].map((name) => [name, '\n'] as const),
  ...['td', '/td', 'th', '/th'].map((name) => [name, ' '] as const),
])
/**
 * References that are frequent in mail, next to those by number. Preview texts are filled up with the invisible ones.
 */
const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', shy: '\u00ad', zwnj: '\u200c', zwj: '\u200d' },
  ...{
    copy: '©',
    reg: '®',
    trade: '™',
    euro: '€',
    pound: '£',
    bull: '•',
    middot: '·',
    hellip: '…',
    ndash: '–',
    mdash: '—',
  },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»' },
}
const reference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/gi
/** Maximum number of characters of a reference. */
const maxReference = 10

/** Characters between two pauses. */
const pieceLength = 16_384

/** Maximum length of a part of a tag that is read. */
const maxTagLength = 4_096

/**
 * Returns the text of HTML that is too long or too deep for the library (plainText.ts), converted in one pass and short
 * steps: the text between the tags, a line per block, a mark per list item, the alt text of pictures, and each link
 * after its text.
 * @param item what begins the item of a list
 */
export function* roughText(html: string, item = '\n* '): Steps<string> {
  const { add, addGap, text } = collapsingWriter()
  let [link, pauseAt] = ['', pieceLength]
  for (let from = 0; from < html.length; ) {
    const start = html.indexOf('<', from)
    const textEnd = start === -1 ? html.length : start
    if (from < textEnd) yield* addText(html, from, textEnd, add)
    const end = html.indexOf('>', textEnd)
    if (end === -1) break
    const tagEnd = Math.min(end, start + maxTagLength)
    const name = tagName(html, start)
    const afterComment = name.startsWith('!--') ? html.indexOf('-->', start + 2) + 3 : 0
    if (afterComment === 2) break
    const gap = gaps.get(name)
    if (name === 'li') add(item)
    else if (gap !== undefined) addGap(gap)
    else if (name === 'img') add(readable(altText.exec(html.slice(start, tagEnd))?.slice(1).join('') ?? ''))
    else if (name === 'a') link = target.exec(html.slice(start, tagEnd))?.[1] ?? ''
    else if (name === '/a' && link !== '') {
      add(` [${link}]`)
      link = ''
    }
    const closing = hidden.get(name)
    from = closing ? endOf(html, closing, end) : Math.max(end + 1, afterComment)
    if (from < pauseAt) continue
    pauseAt = from + pieceLength
    yield
  }
  return text()
}

const altText = /\salt=(?:"([^"]*)"|'([^']*)')/i
const target = /\shref=["']?(https?:[^\s"']{1,2000})/i

const tagNameAt = /[^\s>]{0,12}/y

/**
 * Returns the name of the tag that begins at an index, in lower case. `test` makes no object for each of thousands of
 * tags, as `exec` does.
 */
const tagName = (html: string, start: number): string => {
  tagNameAt.lastIndex = start + 1
  tagNameAt.test(html)
  return html.slice(start + 1, tagNameAt.lastIndex).toLowerCase()
}

/** Adds the text between two tags in pieces that cut no entity. */
function* addText(html: string, start: number, end: number, add: (text: string) => void): Steps<void> {
  for (let from = start; from < end; ) {
    const cut = from + pieceLength < end ? html.lastIndexOf('&', from + pieceLength) : end
    const to = cut > from + pieceLength - maxReference ? cut : Math.min(from + pieceLength, end)
    add(readable(html.slice(from, to)))
    from = to
    if (from < end) yield
  }
}

const readable = (text: string): string =>
  (text.includes('&') ? text.replace(reference, referred) : text).replace(/\s+/g, ' ')

/** Returns what a reference stands for; the reference itself if that is unknown or no character. */
const referred = (whole: string, decimal?: string, hexadecimal?: string, name = ''): string => {
  if (decimal === undefined && hexadecimal === undefined) return entities[name] ?? whole
  const code = Number.parseInt(decimal ?? hexadecimal ?? '', decimal === undefined ? 16 : 10)
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : whole
}

/** Texts that are joined in one step. */
const partsOfJoin = 4_096

/**
 * Joins texts. Replaces a run of spaces and line breaks by a line break if it contains one, else by a space, and
 * removes those at both ends.
 */
const collapsingWriter = () => {
  /** Joined often: one join of a million parts would block the process. */
  let parts: string[] = []
  const joined: string[] = []
  let gap: '' | ' ' | '\n' = ''
  const addGap = (added: ' ' | '\n'): void => {
    if (added === '\n' || gap === '') gap = added
  }
  return {
    addGap,
    add: (text: string): void => {
      const inner = text.trim()
      const before = text.slice(0, text.length - text.trimStart().length)
      if (before !== '') addGap(before.includes('\n') ? '\n' : ' ')
      if (inner === '') return
      if (parts.length + joined.length > 0) parts.push(gap)
      parts.push(inner)
      if (parts.length > partsOfJoin) {
        joined.push(parts.join(''))
        parts = []
      }
      gap = text.length > before.length + inner.length ? ' ' : ''
    },
    text: (): string => joined.join('') + parts.join(''),
  }
}

/** Returns the end of an element whose content is not shown. */
const endOf = (html: string, closing: RegExp, from: number): number => {
  closing.lastIndex = from
  return closing.exec(html)?.index ?? html.length
}
