import { finish, type Steps } from './steps.ts'
import type { ParsedTemplate, TemplatePart, TemplateProblem } from './template.ts'
import { parseTemplate } from './templateParse.ts'
import { type RenderBudget, type RenderLimits, renderBudget, renderLimits, renderTemplate } from './templateRender.ts'

/** One version of a template, as the templates service returns it. */
export type TemplateVersion = {
  id: string
  version: number
  subject: string
  html_body?: string | undefined
  text_body?: string | undefined
}

/** The parts of one email; null: the template does not have this part. */
export type RenderedTemplate =
  | { ok: true; subject: string; html: string | null; text: string | null }
  | { ok: false; problems: TemplateProblem[] }

type TemplateRendererOptions = {
  /** A monotonic clock in milliseconds, for the time limit of a rendering. */
  now: () => number
  limits?: RenderLimits
  /** Approximate memory for parsed templates. */
  cacheBytes?: number
}

/** Renders emails from templates. Each version is parsed once; all parts of an email share one budget. */
export const templateRenderer = ({
  now,
  limits = renderLimits,
  cacheBytes = 32 * 1024 * 1024,
}: TemplateRendererOptions) => {
  const cache = templateCache<Parsed>(cacheBytes)
  const keyOf = ({ id, version }: TemplateVersion): string => `${id}@${version}`
  return {
    /** Parses a version that is not cached, in a step per part, so that `render` does not have to. */
    prepare: function* (template: TemplateVersion): Steps<void> {
      if (cache.has(keyOf(template))) return
      const parsed = yield* parseParts(template)
      cache.get(keyOf(template), () => parsed)
    },
    /** The problems are those of `renderTemplate`: values that are missing, unprintable, unsafe or too large. */
    render: (template: TemplateVersion, vars: Readonly<Record<string, unknown>>): RenderedTemplate => {
      const parsed = cache.get(keyOf(template), () => finish(parseParts(template)))
      return parsed.ok ? renderParts(parsed.parts, vars, renderBudget(now, limits)) : parsed
    },
  }
}

type Parsed =
  | { ok: true; parts: Partial<Record<TemplatePart, ParsedTemplate>> }
  | { ok: false; problems: TemplateProblem[] }

/** The parts were checked when they were saved; they are checked again because the store may hold older ones. */
function* parseParts(template: TemplateVersion): Steps<{ value: Parsed; weight: number }> {
  const parts: Partial<Record<TemplatePart, ParsedTemplate>> = {}
  const problems: TemplateProblem[] = []
  let weight = 0
  for (const part of ['subject', 'html_body', 'text_body'] as const) {
    const source = template[part]
    if (source === undefined) continue
    const parsed = parseTemplate(source, part)
    if (parsed.ok) parts[part] = parsed.template
    else problems.push(...parsed.problems)
    // At most two bytes per character; a tag has at least five characters and its node takes about 100 bytes.
    weight += source.length * 2 + (source.split('{{').length - 1) * 200
    yield
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
    // The parts mostly need the same values; each problem is reported once.
    for (const problem of rendered.problems) problems.set(`${problem.code} ${problem.path}`, problem)
    return null
  }
  const output = { subject: render(subject) ?? '', html: render(html_body), text: render(text_body) }
  return problems.size === 0 ? { ok: true, ...output } : { ok: false, problems: [...problems.values()] }
}

/**
 * A cache of at most `maxWeight` that drops the least recently used entry first. Template versions never change, so
 * entries do not become stale.
 */
export const templateCache = <Value>(maxWeight: number) => {
  const entries = new Map<string, { value: Value; weight: number }>()
  let total = 0
  const drop = (key: string): void => {
    total -= entries.get(key)?.weight ?? 0
    entries.delete(key)
  }
  return {
    has: (key: string): boolean => entries.has(key),
    /** Returns the cached value, or the one made now. A value heavier than the whole cache is not stored. */
    get: (key: string, make: () => { value: Value; weight: number }): Value => {
      const entry = entries.get(key) ?? make()
      drop(key)
      // A Map iterates in order of insertion, so the entry inserted again is the last to be dropped.
      entries.set(key, entry)
      total += entry.weight
      for (const oldest of entries.keys()) {
        if (total <= maxWeight) break
        drop(oldest)
      }
      return entry.value
    },
  }
}
