/** The three parts of a template, by their names in the API. */
export type TemplatePart = 'subject' | 'html_body' | 'text_body'

/** `path`: the part (`subject`) or the value (`template_vars.order.total`). */
export type TemplateProblem = { path: string; code: string; message: string }

/** A parsed and checked part. It is plain data without code, so it is safe to render it with any values. */
export type ParsedTemplate = {
  part: TemplatePart
  nodes: readonly TemplateNode[]
  /**
   * Paths of the values a caller passes (`name`, `order.total`), in order of appearance, without those of `{{#each}}`
   * items.
   */
  variables: readonly string[]
}

export type TemplateNode =
  | { kind: 'content'; text: string; opensUrl: boolean }
  | { kind: 'print'; path: TemplatePath; raw: boolean }
  | { kind: 'if'; path: TemplatePath; truthy: readonly TemplateNode[]; falsy: readonly TemplateNode[] }
  | { kind: 'each'; path: TemplatePath; item: readonly TemplateNode[]; none: readonly TemplateNode[] }

/** Names to follow from the current value; empty: the current value itself (`{{this}}`). */
export type TemplatePath = readonly string[]

/**
 * Limits of one part. `tags`, `names` and `depth` are not part of the public contract: handlebars' parser needs 8 to 25
 * µs per tag and 4 µs per name of a path, and time in the square of the depth. It runs in pieces, so a large template
 * takes long but does not block the process.
 */
export type TemplateLimits = { partBytes: number; variables: number; tags: number; names?: number; depth: number }

export const templateLimits: TemplateLimits = {
  partBytes: 512 * 1024,
  variables: 100,
  tags: 5000,
  names: 10_000,
  depth: 64,
}

/** Returns a problem of the template itself. Line and column count from 1. */
export const problemAt = (
  part: TemplatePart,
  { line, column }: { line: number; column: number },
  code: string,
  message: string,
): TemplateProblem => ({ path: part, code, message: `Line ${line}, column ${column}: ${message}.` })

/** Shortens a text of the user for use in a message. */
export const excerpt = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** A name is a letter or `_`, then letters, digits, `_`, `-`; dots lead into objects. */
export const pathShape = '[A-Za-z_][A-Za-z0-9_-]*(?:\\.[A-Za-z_][A-Za-z0-9_-]*)*'

/** Describes `pathShape` in messages. */
export const nameRule = 'a name starts with a letter or _ and has letters, digits, _ and -; dots lead into objects'

const wholePath = new RegExp(`^${pathShape}$`)

/** These names lead out of the caller's values into the language; templates used them to run code (CVE-2019-19919). */
const reserved = ['__proto__', 'constructor', 'prototype']
const literals = ['true', 'false', 'null', 'undefined']
const helpers = ['if', 'unless', 'each', 'with', 'lookup', 'log', 'helperMissing', 'blockHelperMissing']

/** Splits a path as written in a tag; returns a problem if it is not a path. */
export const readPath = (text: string): { names: TemplatePath } | { code: string; message: string } => {
  if (text.length > 255) return { code: 'template_forbidden', message: 'a name has at most 255 characters' }
  if (!wholePath.test(text)) return { code: 'template_syntax', message: `"${text}" is not a name: ${nameRule}` }
  const [first = '', ...rest] = text.split('.')
  const names = first === 'this' ? rest : [first, ...rest]
  const forbidden = names.find((name) => reserved.includes(name))
  if (forbidden !== undefined) return { code: 'unknown_variable', message: `a variable cannot be named "${forbidden}"` }
  if (names.includes('this'))
    return { code: 'template_syntax', message: '"this" is only allowed at the start of a path' }
  const literal = names.find((name) => literals.includes(name))
  if (literal !== undefined) return { code: 'template_forbidden', message: `"${literal}" is a literal, not a name` }
  // Handlebars' lexer reads `else-x` as `else` too.
  if (/^else\b/.test(text) || helpers.includes(text)) {
    return { code: 'template_forbidden', message: `"${first}" is a keyword of the template language, not a name` }
  }
  return { names }
}
