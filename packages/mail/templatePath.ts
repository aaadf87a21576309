import type { TemplatePath } from './template.ts'

/** A name is a letter or `_`, then letters, digits, `_`, `-`; dots walk into objects. */
export const pathShape = '[A-Za-z_][A-Za-z0-9_-]*(?:\\.[A-Za-z_][A-Za-z0-9_-]*)*'

const wholePath = new RegExp(`^${pathShape}$`)

/** They lead out of the caller's values into the language, by which templates were made to run code (CVE-2019-19919). */
const reserved = ['__proto__', 'constructor', 'prototype']
const literals = ['true', 'false', 'null', 'undefined']
const helpers = ['if', 'unless', 'each', 'with', 'lookup', 'log', 'helperMissing', 'blockHelperMissing']

/** A path as written in a tag, taken apart; or why it isn't one. */
export const readPath = (text: string): { names: TemplatePath } | { code: string; message: string } => {
  if (text.length > 255) return { code: 'template_forbidden', message: 'a name has at most 255 characters' }
  if (!wholePath.test(text)) {
    return {
      code: 'template_syntax',
      message: `"${text}" isn't a name: a letter or _, then letters, digits, _ and -, with dots into objects`,
    }
  }
  const [first = '', ...rest] = text.split('.')
  const names = first === 'this' ? rest : [first, ...rest]
  const taken = names.find((name) => reserved.includes(name))
  if (taken !== undefined) return { code: 'unknown_variable', message: `no variable can be called "${taken}"` }
  if (names.includes('this')) return { code: 'template_syntax', message: '"this" stands at the start of a path' }
  const literal = names.find((name) => literals.includes(name))
  if (literal !== undefined) return { code: 'template_forbidden', message: `"${literal}" is a literal, not a name` }
  // Handlebars' lexer takes `else-x` for an else too.
  if (/^else\b/.test(text) || helpers.includes(text)) {
    return { code: 'template_forbidden', message: `"${first}" is a word of the template language, not a name` }
  }
  return { names }
}
