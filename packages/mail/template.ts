/** The three texts a template is made of, by their names in the API. */
export type TemplatePart = 'subject' | 'html_body' | 'text_body'

/** One thing wrong with a template or with the values for it: where (`subject`, `template_vars.order.total`), its name for machines, a sentence. */
export type TemplateProblem = { path: string; code: string; message: string }

/** A part that was checked: plain data and nothing to execute, so whoever holds one may render it with any values. */
export type ParsedTemplate = {
  part: TemplatePart
  nodes: readonly TemplateNode[]
  /** Paths of the values a caller gives (`name`, `order.total`), in order of appearance; those of an item of `{{#each}}` aren't among them. */
  variables: readonly string[]
}

export type TemplateNode =
  | { kind: 'content'; text: string; opensUrl: boolean }
  | { kind: 'print'; path: TemplatePath; raw: boolean }
  | { kind: 'if'; path: TemplatePath; truthy: readonly TemplateNode[]; falsy: readonly TemplateNode[] }
  | { kind: 'each'; path: TemplatePath; item: readonly TemplateNode[]; none: readonly TemplateNode[] }

/** Names to follow from the values at hand; none: those values themselves (`{{this}}`). */
export type TemplatePath = readonly string[]

/**
 * What one part may be. Tags and depth aren't of the public contract: handlebars' parser takes 8 µs a tag, and time that
 * grows with the square of the depth, so more would hold the process up longer than a request may.
 */
export type TemplateLimits = { partBytes: number; variables: number; tags: number; depth: number }

export const templateLimits: TemplateLimits = { partBytes: 512 * 1024, variables: 100, tags: 5000, depth: 64 }

/** A problem of the template itself. Line and column count from 1. */
export const problemAt = (
  part: TemplatePart,
  { line, column }: { line: number; column: number },
  code: string,
  message: string,
): TemplateProblem => ({ path: part, code, message: `Line ${line}, column ${column}: ${message}.` })

/** Enough of a stranger's text to recognise it by. */
export const excerpt = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
