import { type Html, html } from './html.ts'

/**
 * The part of Markdown that docs/recipes.md and our descriptions use: headings, paragraphs, lists, fenced code, `code` and
 * links. Everything else is shown as it is written.
 */

const link = /\[([^\]]+)\]\(([^)\s]+)\)/

/** Returns a text with its links, outside code. */
const linked = (text: string): Html => {
  const [whole = '', label = '', target = ''] = link.exec(text) ?? []
  if (whole === '' || !/^(?:https?:\/\/|\/|#)/.test(target)) return html`${text}`
  const at = text.indexOf(whole)
  return html`${text.slice(0, at)}<a href="${target}">${label}</a>${linked(text.slice(at + whole.length))}`
}

/** Returns a text with `code` in backticks and links. */
export const inline = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 0 ? linked(part) : html`<code>${part}</code>`))}`

/** Returns the anchor of a heading: `Send a file` is `send-a-file`. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** Returns a heading that links to itself. */
export const heading = (level: 1 | 2 | 3, text: string, id = anchorOf(text)): Html => {
  const inner = html`${inline(text)} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`
  if (level === 1) return html`<h1>${inline(text)}</h1>`
  return level === 2 ? html`<h2 id="${id}">${inner}</h2>` : html`<h3 id="${id}">${inner}</h3>`
}

const block = (text: string): Html => {
  const fence = /^```\w*\n([\s\S]*?)\n?```$/.exec(text)
  if (fence) return html`<pre tabindex="0">${fence[1] ?? ''}</pre>`
  const title = /^(#{1,3}) (.+)$/.exec(text)
  if (title) return heading(Math.min(3, (title[1] ?? '').length) as 1 | 2 | 3, title[2] ?? '')
  if (!text.startsWith('- ')) return html`<p>${inline(text)}</p>`
  return html`<ul>${text
    .split(/^- /m)
    .slice(1)
    .map((item) => html`<li>${inline(item)}</li>`)}</ul>`
}

const fenceMark = '```'

/** Splits a text at its empty lines, except inside code. */
const blocksOf = (text: string): string[] => {
  const blocks: string[][] = [[]]
  let isCode = false
  for (const line of text.split('\n')) {
    const isFence = line.startsWith(fenceMark)
    if (!isCode && (isFence || line === '')) blocks.push([])
    if (isCode || line !== '') blocks.at(-1)?.push(line)
    if (isFence) isCode = !isCode
  }
  return blocks.map((lines) => lines.join('\n')).filter((one) => one !== '')
}

/** Returns a text in Markdown as HTML. */
export const markdown = (text: string): Html => html`${blocksOf(text).map((one) => html`${block(one)}\n`)}`
