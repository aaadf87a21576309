import { Marked, type MarkedToken, type Token, type Tokens } from 'marked'
import { type Html, html } from '../html.ts'
import { codeBlock, tabbedCode } from './code.ts'

/*
 * Markdown of the guides and of the descriptions of the API as HTML. marked reads it; the elements are those of this
 * site: programs with tabs, links between pages, codes that lead to their page. Markup in a text is shown as it is
 * written.
 */

/** The context of a page: its guides and links. */
export type MarkdownOptions = {
  /** Returns the address of a link; null: its text is shown without one. */
  link?: (target: string) => string | null
  /** Returns the text of a link in place of the written one, in Markdown. */
  label?: (written: string, target: string) => string
  /** Returns the address that an inline `code` leads to; null: none. */
  codeLink?: (code: string) => string | null
  /** Returns a program as it is shown. */
  program?: (code: string) => string
}

const ownAddress = /^(?:https?:\/\/|\/|#)/
const ownLink = (target: string): string | null => (ownAddress.test(target) ? target : null)

// An address without brackets stays text, as in a program.
const reader = new Marked({ tokenizer: { url: () => undefined } })

/** Comments of a file, links' addresses and empty lines are not part of a page. */
const isShown = (token: Token): boolean =>
  token.type !== 'space' && token.type !== 'def' && !(token.type === 'html' && token.raw.startsWith('<!--'))

const shownOf = (tokens: readonly Token[]): MarkedToken[] => tokens.filter(isShown) as MarkedToken[]

const blocksIn = (text: string): MarkedToken[] => shownOf(reader.lexer(text))

const inlineIn = (text: string): Token[] => new reader.Lexer(reader.defaults).inlineTokens(text)

/** Returns a text with its code, links and emphasis. */
export const inline = (text: string, options: MarkdownOptions = {}): Html => inlineOf(inlineIn(text), options)

const inlineOf = (tokens: readonly Token[], options: MarkdownOptions): Html =>
  html`${tokens.map((token) => inlineToken(token as MarkedToken, options))}`

const inlineToken = (token: MarkedToken, options: MarkdownOptions): Html => {
  switch (token.type) {
    case 'codespan':
      return codeText(token.text, options)
    case 'strong':
      return html`<strong>${inlineOf(token.tokens, options)}</strong>`
    case 'em':
      return html`<em>${inlineOf(token.tokens, options)}</em>`
    case 'link':
      return linkText(token, options)
    case 'br':
      return html`<br>`
    case 'text':
      return token.tokens ? inlineOf(token.tokens, options) : html`${token.text}`
    case 'escape':
      return html`${token.text}`
    default:
      return html`${token.raw}`
  }
}

const linkText = ({ href: target, text, tokens }: Tokens.Link, options: MarkdownOptions): Html => {
  const href = (options.link ?? ownLink)(target)
  const label = options.label?.(text, target) ?? text
  // The text of a link has no links.
  const inner = inlineOf(label === text ? tokens : inlineIn(label), {
    ...options,
    link: () => null,
    codeLink: () => null,
  })
  return href === null ? inner : html`<a href="${href}">${inner}</a>`
}

const codeText = (code: string, { codeLink }: MarkdownOptions): Html => {
  const href = codeLink?.(code) ?? null
  return href === null ? html`<code>${code}</code>` : html`<a href="${href}"><code>${code}</code></a>`
}

/** Returns the anchor of a heading: `Send a file` is `send-a-file`. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** Returns a heading that links to itself. */
export const heading = (level: 2 | 3, text: Html | string, id: string): Html => {
  const inner = html`${text} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`
  return level === 2 ? html`<h2 id="${id}">${inner}</h2>` : html`<h3 id="${id}">${inner}</h3>`
}

/** Languages that are shown as tabs when their blocks follow each other. */
const tabs = ['sh', 'js', 'python'] as const

/** The programs that begin at a line, if they do the same in each language. */
const tabbedAt = (tokens: readonly MarkedToken[], at: number): Tokens.Code[] | null => {
  const three = tokens.slice(at, at + tabs.length)
  const isTabbed =
    three.length === tabs.length && three.every((token, index) => token.type === 'code' && token.lang === tabs[index])
  return isTabbed ? (three as Tokens.Code[]) : null
}

const blocksOf = (tokens: readonly MarkedToken[], options: MarkdownOptions): Html => {
  const program = options.program ?? ((code: string) => code)
  const shown: Html[] = []
  for (let at = 0; at < tokens.length; at++) {
    const same = tabbedAt(tokens, at)
    const token = tokens[at]
    if (same) {
      const [sh = '', js = '', python = ''] = same.map(({ text }) => program(text))
      shown.push(tabbedCode({ curl: sh, node: js, python }))
      at += tabs.length - 1
    } else if (token) shown.push(block(token, options))
  }
  return html`${shown.map((one) => html`${one}\n`)}`
}

const block = (token: MarkedToken, options: MarkdownOptions): Html => {
  switch (token.type) {
    case 'code':
      return codeBlock(options.program?.(token.text) ?? token.text, token.lang ?? '')
    case 'table':
      return table(token, options)
    case 'list':
      return list(token, options)
    case 'blockquote':
      return html`<blockquote>${blocksOf(shownOf(token.tokens), options)}</blockquote>`
    case 'text':
      return inlineToken(token, options)
    case 'paragraph':
      return html`<p>${inlineOf(token.tokens, options)}</p>`
    default:
      return html`<p>${token.raw.trim()}</p>`
  }
}

const list = ({ ordered, items }: Tokens.List, options: MarkdownOptions): Html => {
  const shown = items.map(({ tokens }) => {
    const blocks = shownOf(tokens)
    const [only, ...others] = blocks
    const isLine = only?.type === 'text' && others.length === 0
    return html`<li>${isLine ? inlineToken(only, options) : blocksOf(blocks, options)}</li>`
  })
  return ordered ? html`<ol>${shown}</ol>` : html`<ul>${shown}</ul>`
}

const table = ({ header, rows }: Tokens.Table, options: MarkdownOptions): Html =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${header.map(
    ({ tokens }) => html`<th scope="col">${inlineOf(tokens, options)}</th>`,
  )}</tr></thead><tbody>
${rows.map((row) => html`<tr>${row.map(({ tokens }) => html`<td>${inlineOf(tokens, options)}</td>`)}</tr>\n`)}</tbody></table></div>`

/** Returns a text without headings as HTML. */
export const markdown = (text: string, options: MarkdownOptions = {}): Html => blocksOf(blocksIn(text), options)

/** Returns a text without its marks and without programs. */
export const plainText = (text: string): string => plain(blocksIn(text))

const plain = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => plainToken(token as MarkedToken))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim()

const plainToken = (token: MarkedToken): string => {
  switch (token.type) {
    case 'code':
      return ''
    case 'table':
      return `${[token.header, ...token.rows]
        .flat()
        .map(({ tokens }) => plain(tokens))
        .join(' ')} `
    case 'list':
      return `${token.items.map(({ tokens }) => plain(tokens)).join(' ')} `
    case 'paragraph':
    case 'blockquote':
    case 'heading':
      return `${plain(token.tokens)} `
    case 'codespan':
    case 'escape':
      return token.text
    case 'br':
      return ' '
    default:
      return 'tokens' in token && token.tokens ? inner(token.tokens) : token.raw
  }
}

/** Spaces at the ends of an emphasis or link separate words. */
const inner = (tokens: readonly Token[]): string => tokens.map((token) => plainToken(token as MarkedToken)).join('')

/** A part of a page: its heading and what follows until the next one. */
export type Section = { level: 1 | 2 | 3; title: string; id: string; content: Html; text: string }

/** Returns the sections of a page: the first one has level 1. Ids are unique in the page. */
export const sectionsOf = (source: string, options: MarkdownOptions = {}): Section[] => {
  const known = new Map<string, number>()
  const idOf = (title: string): string => {
    const id = anchorOf(title)
    const count = (known.get(id) ?? 0) + 1
    known.set(id, count)
    return count === 1 ? id : `${id}-${count}`
  }
  return splitAtHeadings(blocksIn(source)).map(({ level, heading, body }) => {
    const title = plain(heading.tokens)
    return { level, title, id: idOf(title), content: blocksOf(body, options), text: plain(body) }
  })
}

type Part = { level: 1 | 2 | 3; heading: Tokens.Heading; body: MarkedToken[] }

const splitAtHeadings = (tokens: readonly MarkedToken[]): Part[] => {
  const parts: Part[] = []
  for (const token of tokens) {
    if (token.type === 'heading' && token.depth <= 3)
      parts.push({ level: token.depth as 1 | 2 | 3, heading: token, body: [] })
    else parts.at(-1)?.body.push(token)
  }
  return parts
}
