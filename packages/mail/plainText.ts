import { compile } from 'html-to-text'

/**
 * Up to here, in characters, the library converts. Its parser looks through all open tags at each stray closing one, so
 * hostile input costs it the square of the length: 0.2 s here, a minute at the 2 MiB that a request may hold.
 */
const longestForLibrary = 128 * 1_024
/** Real mail nests tables a few dozen deep. */
const deepest = 400
/** RFC 5322 §2.1.1: lines for people have at most 78 characters. */
const lineLength = 78

const convert = compile({
  wordwrap: lineLength,
  limits: { maxDepth: deepest, ellipsis: '' },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
    // A picture says its name; where it is stored is of no use in a text.
    { selector: 'img', format: 'altText' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    // Most tables in mail are layout: a line for each row and a space between cells reads well for both kinds.
    { selector: 'table', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'td', format: 'inlineSurround', options: { suffix: ' ' } },
    { selector: 'th', format: 'inlineSurround', options: { suffix: ' ' } },
    ...['head', 'title', 'script', 'style', 'template'].map((selector) => ({ selector, format: 'skip' })),
  ],
  formatters: {
    altText: (element, _walk, builder) => {
      builder.addInline(element.attribs['alt'] ?? '')
    },
  },
})

/** The text part of mail that was given as HTML alone: readable, with its links, in bounded time. */
export const plainText = (html: string): string =>
  html.length <= longestForLibrary ? withoutTrailingSpaces(convert(html)) : roughText(html)

const withoutTrailingSpaces = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')

const unseen = /^(?:script|style|title|template)$/
const endsLine = /^(?:\/?(?:p|div|table|tr|ul|ol|li|h[1-6]|blockquote|pre|section|article|header|footer)|[bh]r\/?)$/
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" }

/** One pass, whatever comes: the text between the tags, with a line for each block, and links after their text. */
const roughText = (html: string): string => {
  const pieces: string[] = []
  let link = ''
  for (let from = 0; from < html.length; ) {
    const start = html.indexOf('<', from)
    const end = start === -1 ? -1 : html.indexOf('>', start)
    pieces.push(html.slice(from, start === -1 ? html.length : start).replace(/\s+/g, ' '))
    if (end === -1) break
    const tag = html.slice(start + 1, end)
    const name = /^[^\s>]{0,12}/.exec(tag)?.[0].toLowerCase() ?? ''
    if (endsLine.test(name)) pieces.push('\n')
    else if (/^\/?t[dh]$/.test(name)) pieces.push(' ')
    else if (name === 'a') link = /\shref=["']?(https?:[^\s"']{1,2000})/i.exec(tag)?.[1] ?? ''
    else if (name === '/a' && link !== '') pieces.push(` [${link}]`)
    from = unseen.test(name) ? endOf(html, name, end) : end + 1
  }
  const text = pieces.join('').replace(/&(\w{2,4}|#39);/g, (whole, name: string) => entities[name] ?? whole)
  return text.replace(/[ \n]+/g, (run) => (run.includes('\n') ? '\n' : ' ')).trim()
}

/** Where the content of an element that isn't text is over. */
const endOf = (html: string, name: string, from: number): number => {
  const closing = new RegExp(`</${name}`, 'gi')
  closing.lastIndex = from
  return closing.exec(html)?.index ?? html.length
}
