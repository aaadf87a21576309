/** A piece of a template that isn't content: where it begins, and what it says from brace to brace. */
export type TemplateTag = { kind: 'tag' | 'comment' | 'escaped' | 'unclosed'; at: number; text: string }

/** The tags of a source, cut where handlebars' lexer cuts them. The first unclosed one is the last: all the rest is in it. */
export function* tagsOf(source: string): Generator<TemplateTag> {
  let at = source.indexOf('{{')
  while (at !== -1) {
    const tag = tagAt(source, at)
    yield tag
    at = tag.kind === 'unclosed' ? -1 : source.indexOf('{{', at + tag.text.length)
  }
}

const tagAt = (source: string, at: number): TemplateTag => {
  // Handlebars takes one backslash as an escape of the tag, and two as a backslash before it.
  if (source[at - 1] === '\\' && source[at - 2] !== '\\') return { kind: 'escaped', at, text: '{{' }
  const comment = /^\{\{~?(!(?:--)?)/.exec(source.slice(at, at + 6))?.[1]
  const end = comment === undefined ? tagEnd(source, at) : commentEnd(source, at, comment)
  if (end === -1) return { kind: 'unclosed', at, text: source.slice(at) }
  return { kind: comment === undefined ? 'tag' : 'comment', at, text: source.slice(at, end) }
}

/** The index after the tag; -1: it has no end. Handlebars takes up to four braces for the tag's, however many were opened. */
const tagEnd = (source: string, at: number): number => {
  const closing = source.indexOf('}}', at)
  const braces = /^\}+/.exec(source.slice(closing, closing + 4))?.[0]
  return closing === -1 || !braces ? -1 : closing + braces.length
}

const commentEnd = (source: string, at: number, opening: string): number => {
  const closing = opening === '!--' ? /--~?\}\}/g : /\}\}/g
  closing.lastIndex = at
  return closing.test(source) ? closing.lastIndex : -1
}
