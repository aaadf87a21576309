import { type Html, html } from '../html.ts'
import { codeBlock, tabbedCode } from './code.ts'

/**
 * The part of Markdown that the guides and the descriptions of the API use: headings, paragraphs, lists, quotes, tables,
 * code, `code`, **bold** and links. Everything else is shown as it is written.
 */

/** What a page knows about its surroundings. */
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

/** The parts of a line that are not plain text. */
const marks = /`([^`]+)`|\*\*(.+?)\*\*|\[((?:[^\][]|`[^`]*`)+)\]\(([^)\s]+)\)|\\([\\`*_{}[\]()#+.!|~<>-])/

/** Returns a text with its code, links and emphasis. */
export const inline = (text: string, options: MarkdownOptions = {}): Html => {
  const found = marks.exec(text)
  if (found === null) return html`${text}`
  const [whole, code, strong, label, target = '', escaped = ''] = found
  const rest = inline(text.slice(found.index + whole.length), options)
  const before = text.slice(0, found.index)
  if (code !== undefined) return html`${before}${codeText(code, options)}${rest}`
  if (strong !== undefined) return html`${before}<strong>${inline(strong, options)}</strong>${rest}`
  if (label === undefined) return html`${before}${escaped}${rest}`
  const href = (options.link ?? ownLink)(target)
  // The text of a link has no links.
  const inner = inline(options.label?.(label, target) ?? label, { ...options, link: () => null, codeLink: () => null })
  return html`${before}${href === null ? inner : html`<a href="${href}">${inner}</a>`}${rest}`
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

type Fence = { kind: 'fence'; language: string; code: string }
type Block = Fence | { kind: 'text'; lines: string[] }

const fence = /^```(\w*)$/

/** Splits a text at its empty lines, except inside code. An indented block is code. */
const blocksOf = (text: string): Block[] => {
  const blocks: Block[] = []
  let isFenced = false
  let isOpen = false
  for (const line of text.split('\n')) {
    const last = blocks.at(-1)
    const [mark, language = ''] = fence.exec(line) ?? []
    if (mark !== undefined) {
      isFenced = !isFenced
      isOpen = false
      if (isFenced) blocks.push({ kind: 'fence', language, code: '' })
    } else if (isFenced && last?.kind === 'fence') last.code += `${line}\n`
    else if (line === '') isOpen = false
    else if (isOpen && last?.kind === 'text') last.lines.push(line)
    else {
      blocks.push({ kind: 'text', lines: [line] })
      isOpen = true
    }
  }
  return blocks
}

/** Languages that are shown as tabs when their blocks follow each other. */
const tabs = ['sh', 'js', 'python'] as const

/** Joins blocks of code that do the same in each language. */
const grouped = (blocks: readonly Block[]): (Block | Fence[])[] => {
  const all: (Block | Fence[])[] = []
  for (let at = 0; at < blocks.length; at++) {
    const three = blocks.slice(at, at + tabs.length)
    const isTabbed =
      three.length === tabs.length &&
      three.every((block, index) => block.kind === 'fence' && block.language === tabs[index])
    if (isTabbed) {
      all.push(three as Fence[])
      at += tabs.length - 1
    } else all.push(...blocks.slice(at, at + 1))
  }
  return all
}

const items = (lines: readonly string[], mark: RegExp): string[] => {
  const all: string[] = []
  for (const line of lines) {
    if (mark.test(line)) all.push(line.replace(mark, ''))
    else all.push(`${all.pop() ?? ''}\n${line.trim()}`)
  }
  return all
}

const cellsOf = (row: string): string[] =>
  row
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    // A bar in a cell has a backslash.
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

const table = ([head = '', , ...rows]: readonly string[], options: MarkdownOptions): Html => {
  const names = cellsOf(head)
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${names.map(
    (name) => html`<th scope="col">${inline(name, options)}</th>`,
  )}</tr></thead><tbody>
${rows.map((row) => html`<tr>${cellsOf(row).map((cell) => html`<td>${inline(cell, options)}</td>`)}</tr>\n`)}</tbody></table></div>`
}

const textBlock = (lines: readonly string[], options: MarkdownOptions): Html => {
  const [first = ''] = lines
  if (/^ {4}/.test(first)) {
    const code = lines.map((line) => line.replace(/^ {4}/, '')).join('\n')
    return codeBlock(options.program?.(code) ?? code)
  }
  if (first.startsWith('|')) return table(lines, options)
  if (first.startsWith('> ')) {
    return html`<blockquote><p>${inline(lines.map((line) => line.replace(/^> ?/, '')).join('\n'), options)}</p></blockquote>`
  }
  if (first.startsWith('- ')) {
    return html`<ul>${items(lines, /^- /).map((item) => html`<li>${inline(item, options)}</li>`)}</ul>`
  }
  if (/^\d+\. /.test(first)) {
    return html`<ol>${items(lines, /^\d+\. /).map((item) => html`<li>${inline(item, options)}</li>`)}</ol>`
  }
  return html`<p>${inline(lines.join('\n'), options)}</p>`
}

/** A part of a page: its heading and what follows until the next one. */
export type Section = { level: 1 | 2 | 3; title: string; id: string; content: Html; text: string }

/** Returns a text without its marks and without programs. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/^```[\s\S]*?^```$|^ {4}.*$/gm, '')
    .replaceAll(/\[([^\]]+)\]\([^)\s]+\)/g, '$1')
    .replaceAll(/\*\*|`|^#+ |^> |^- |^\d+\. |^\|[-| ]+\|$/gm, '')
    .replaceAll(/\\([_*|])/g, '$1')
    .replaceAll(/\s*\|\s*/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Returns the sections of a page: the first one has level 1. Ids are unique in the page. */
export const sectionsOf = (source: string, options: MarkdownOptions = {}): Section[] => {
  const known = new Map<string, number>()
  const idOf = (title: string): string => {
    const id = anchorOf(plainText(title))
    const count = (known.get(id) ?? 0) + 1
    known.set(id, count)
    return count === 1 ? id : `${id}-${count}`
  }
  return splitAtHeadings(source).map(({ level, title, body }) => ({
    level,
    title: plainText(title),
    id: idOf(title),
    content: markdown(body, options),
    text: plainText(body),
  }))
}

const splitAtHeadings = (source: string): { level: 1 | 2 | 3; title: string; body: string }[] => {
  const parts: { level: 1 | 2 | 3; title: string; body: string }[] = []
  let isFenced = false
  for (const line of source.split('\n')) {
    if (line.startsWith('```')) isFenced = !isFenced
    const [, signs = '', title = ''] = isFenced ? [] : (/^(#{1,3}) (.+)$/.exec(line) ?? [])
    if (signs !== '') parts.push({ level: signs.length as 1 | 2 | 3, title, body: '' })
    else if (parts.length > 0) (parts.at(-1) as { body: string }).body += `${line}\n`
  }
  return parts
}

/** Returns a text without headings as HTML. */
export const markdown = (text: string, options: MarkdownOptions = {}): Html => {
  const program = options.program ?? ((code: string) => code)
  return html`${grouped(blocksOf(text)).map((block) => {
    if (Array.isArray(block)) {
      const [sh, js, python] = block.map(({ code }) => program(code))
      return html`${tabbedCode({ curl: sh ?? '', node: js ?? '', python: python ?? '' })}\n`
    }
    return block.kind === 'fence'
      ? html`${codeBlock(program(block.code), block.language)}\n`
      : html`${textBlock(block.lines, options)}\n`
  })}`
}
