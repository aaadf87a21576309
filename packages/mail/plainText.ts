import { compile } from 'html-to-text'

/**
 * Most characters that the library converts. At each stray closing tag its parser searches all open tags, so hostile
 * input costs time in the square of the length: 0.2 s at this length, a minute at the 2 MiB that a request may have.
 */
const longestForLibrary = 128 * 1_024
/** Real mail nests tables a few dozen levels deep. */
const deepest = 400
/** RFC 5322 §2.1.1: lines should have at most 78 characters. */
const lineLength = 78

const convert = compile({
  wordwrap: lineLength,
  limits: { maxDepth: deepest, ellipsis: '' },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
    // A picture is replaced by its alt text; its URL is of no use in a text.
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
    altText: (element, _walk, builder) => {
      builder.addInline(element.attribs['alt'] ?? '')
    },
  },
})

/** Returns the text part for mail that has only HTML: readable, with its links, in bounded time. */
export const plainText = (html: string): string =>
  html.length <= longestForLibrary ? withoutTrailingSpaces(convert(html)) : roughText(html)

const withoutTrailingSpaces = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')

const hidden = /^(?:script|style|title|template)$/
const endsLine = /^(?:\/?(?:p|div|table|tr|ul|ol|li|h[1-6]|blockquote|pre|section|article|header|footer)|[bh]r\/?)$/
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" }

/** Converts in one pass: the text between the tags, a line per block, and each link after its text. */
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
    from = hidden.test(name) ? endOf(html, name, end) : end + 1
  }
  const text = pieces.join('').replace(/&(\w{2,4}|#39);/g, (whole, name: string) => entities[name] ?? whole)
  return text.replace(/[ \n]+/g, (run) => (run.includes('\n') ? '\n' : ' ')).trim()
}

/** Returns the end of an element whose content is not shown. */
const endOf = (html: string, name: string, from: number): number => {
  const closing = new RegExp(`</${name}`, 'gi')
  closing.lastIndex = from
  return closing.exec(html)?.index ?? html.length
}
