const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char)

/** Markup that is safe to put into a page as it is: only `html` makes it. */
export type Html = { readonly markup: string }

type Value = string | number | Html | readonly Html[]

const markupOf = (value: Value): string => {
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}

/** A template literal whose values are escaped, unless they are markup themselves. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html => ({
  markup: parts.reduce((text, part, index) => text + markupOf(values[index - 1] ?? '') + part),
})
