import type { TemplatePath } from './template.ts'

/** Where a template stands in the caller's values: the value, and how it was come to. */
export type TemplateScope = { value: unknown; from: TemplateScope | null; step: string }

/** What a path leads to, by own properties of arrays and objects alone; undefined: nowhere. */
export const valueAt = (value: unknown, path: TemplatePath): unknown => {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}

/** The path of a value from the top, as callers read it: `template_vars.items[2].name`. */
export const pathOf = (scope: TemplateScope, path: TemplatePath): string => {
  const names = path.map((name) => `.${name}`).join('')
  return scope.from === null ? `template_vars${names}` : `${pathOf(scope.from, [])}${scope.step}${names}`
}

/** As Handlebars has it: 0, an empty text and an empty array are false, an empty object is true. */
export const isTruthy = (value: unknown): boolean => Boolean(value) && !(Array.isArray(value) && value.length === 0)

/** A value as text; undefined: it has none, such as an object. */
export const printed = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value
  if (value === null) return ''
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
  '`': '&#x60;',
  '=': '&#x3D;',
}

/** The characters Handlebars escapes: `=` and the backtick too, which matter in attributes without quotes. */
export const escapeHtml = (text: string): string =>
  /[&<>"'`=]/.test(text) ? text.replace(/[&<>"'`=]/g, (character) => escapes[character] ?? character) : text
