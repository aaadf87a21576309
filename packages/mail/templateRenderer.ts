import type { ParsedTemplate, TemplatePart, TemplateProblem } from './template.ts'
import { type RenderBudget, type RenderLimits, renderBudget, renderLimits } from './templateBudget.ts'
import { templateCache } from './templateCache.ts'
import { parseTemplate } from './templateParse.ts'
import { renderTemplate } from './templateRender.ts'

/** One version of a template, as the templates service answers it. */
export type TemplateVersion = {
  id: string
  version: number
  subject: string
  html_body?: string | undefined
  text_body?: string | undefined
}

/** The parts of one email; null: the template doesn't have this one. */
export type RenderedTemplate =
  | { ok: true; subject: string; html: string | null; text: string | null }
  | { ok: false; problems: TemplateProblem[] }

/**
 * Makes emails of templates, each version parsed once. All parts of an email share one budget.
 * @param now milliseconds, for the time a rendering may take
 * @param cacheBytes about what the parsed templates may hold in memory
 */
export const templateRenderer = ({
  now,
  limits = renderLimits,
  cacheBytes = 32 * 1024 * 1024,
}: {
  now: () => number
  limits?: RenderLimits
  cacheBytes?: number
}) => {
  const cache = templateCache<Parsed>(cacheBytes)
  return {
    /** Problems are the caller's: values missing, unprintable, unsafe, or too much (see renderTemplate). */
    render: (template: TemplateVersion, vars: Readonly<Record<string, unknown>>): RenderedTemplate => {
      const parsed = cache.get(`${template.id}@${template.version}`, () => parseParts(template))
      return parsed.ok ? renderParts(parsed.parts, vars, renderBudget(now, limits)) : parsed
    },
  }
}

type Parsed =
  | { ok: true; parts: Partial<Record<TemplatePart, ParsedTemplate>> }
  | { ok: false; problems: TemplateProblem[] }

/** Checked when it was saved, and again here: what a store holds may be older than the rules. */
const parseParts = (template: TemplateVersion): { value: Parsed; weight: number } => {
  const parts: Partial<Record<TemplatePart, ParsedTemplate>> = {}
  const problems: TemplateProblem[] = []
  let weight = 0
  for (const part of ['subject', 'html_body', 'text_body'] as const) {
    const source = template[part]
    if (source === undefined) continue
    const parsed = parseTemplate(source, part)
    if (parsed.ok) parts[part] = parsed.template
    else problems.push(...parsed.problems)
    // Two bytes a character at most, and no tag is shorter than five, whose node takes about 100.
    weight += source.length * 2 + (source.split('{{').length - 1) * 200
  }
  return { value: problems.length === 0 ? { ok: true, parts } : { ok: false, problems }, weight }
}

const renderParts = (
  { subject, html_body, text_body }: Partial<Record<TemplatePart, ParsedTemplate>>,
  vars: Readonly<Record<string, unknown>>,
  budget: RenderBudget,
): RenderedTemplate => {
  const problems = new Map<string, TemplateProblem>()
  const render = (part: ParsedTemplate | undefined): string | null => {
    if (!part) return null
    const rendered = renderTemplate(part, vars, budget)
    if (rendered.ok) return rendered.output
    // The parts need much the same values: each is said once.
    for (const problem of rendered.problems) problems.set(`${problem.code} ${problem.path}`, problem)
    return null
  }
  const output = { subject: render(subject) ?? '', html: render(html_body), text: render(text_body) }
  return problems.size === 0 ? { ok: true, ...output } : { ok: false, problems: [...problems.values()] }
}
