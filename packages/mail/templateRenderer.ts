import { finish, type Steps } from './steps.ts'
import type { ParsedTemplate, TemplatePart, TemplateProblem } from './template.ts'
import { longPart, parseTemplateSteps } from './templateParse.ts'
import {
  type RenderBudget,
  type RenderLimits,
  renderBudget,
  renderLimits,
  renderTemplateSteps,
} from './templateRender.ts'

/** One version of a template; null: it does not have this part. */
export type TemplateVersion = {
  id: string
  version: number
  subject: string
  htmlBody: string | null
  textBody: string | null
}

/** The parts of one email; null: the template does not have this part. */
export type RenderedTemplate =
  | { ok: true; subject: string; html: string | null; text: string | null }
  | { ok: false; problems: TemplateProblem[] }

type TemplateRendererOptions = {
  /** A monotonic clock in milliseconds, for the time limit of a rendering. */
  elapsed: () => number
  limits?: RenderLimits
  /** Approximate memory for parsed templates. */
  cacheBytes?: number
}

/** Renders emails from templates. Each version is parsed once; all parts of an email share one budget. */
export const templateRenderer = ({
  elapsed,
  limits = renderLimits,
  cacheBytes = 32 * 1024 * 1024,
}: TemplateRendererOptions) => {
  const cache = templateCache<Parsed>(cacheBytes)
  function* parsed(template: TemplateVersion): Steps<Parsed> {
    const key = `${template.id}@${template.version}`
    const found = cache.get(key)
    if (found) return found
    const { value, weight } = yield* parseParts(template)
    cache.set(key, value, weight)
    return value
  }
  /** The problems are those of `renderTemplateSteps`: values that are missing, unprintable, unsafe or too large. */
  function* renderSteps(template: TemplateVersion, vars: Readonly<Record<string, unknown>>): Steps<RenderedTemplate> {
    const found = yield* parsed(template)
    return found.ok ? yield* renderParts(found.parts, vars, renderBudget(elapsed, limits)) : found
  }
  return {
    renderSteps,
    /** Renders in one step, as `renderSteps` does. */
    render: (...args: Parameters<typeof renderSteps>): RenderedTemplate => finish(renderSteps(...args)),
  }
}

type Parsed =
  | { ok: true; parts: Partial<Record<TemplatePart, ParsedTemplate>> }
  | { ok: false; problems: TemplateProblem[] }

/** The parts were checked when they were saved; they are checked again because the store may contain older ones. */
function* parseParts(template: TemplateVersion): Steps<{ value: Parsed; weight: number }> {
  const parts: Partial<Record<TemplatePart, ParsedTemplate>> = {}
  const problems: TemplateProblem[] = []
  let weight = 0
  for (const [part, source] of [
    ['subject', template.subject],
    ['html_body', template.htmlBody],
    ['text_body', template.textBody],
  ] as const) {
    if (source === null) continue
    const parsed = yield* parseTemplateSteps(source, part)
    if (parsed.ok) parts[part] = parsed.template
    else problems.push(...parsed.problems)
    // At most two bytes per character; a tag has at least five characters and its node takes about 100 bytes.
    weight += source.length * 2 + (source.split('{{').length - 1) * 200
    if (source.length > longPart) yield
  }
  return { value: problems.length === 0 ? { ok: true, parts } : { ok: false, problems }, weight }
}

function* renderParts(
  { subject, html_body, text_body }: Partial<Record<TemplatePart, ParsedTemplate>>,
  vars: Readonly<Record<string, unknown>>,
  budget: RenderBudget,
): Steps<RenderedTemplate> {
  const problems = new Map<string, TemplateProblem>()
  function* render(part: ParsedTemplate | undefined): Steps<string | null> {
    if (!part) return null
    const rendered = yield* renderTemplateSteps(part, vars, budget)
    if (rendered.ok) return rendered.output
    // The parts mostly need the same values; each problem is reported once.
    for (const problem of rendered.problems) problems.set(`${problem.code} ${problem.path}`, problem)
    return null
  }
  const output = {
    subject: (yield* render(subject)) ?? '',
    html: yield* render(html_body),
    text: yield* render(text_body),
  }
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
    get: (key: string): Value | undefined => {
      const entry = entries.get(key)
      if (!entry) return undefined
      // A Map iterates in order of insertion, so the entry inserted again is the last to be dropped.
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    /** Stores a value; one heavier than the whole cache is not stored. */
    set: (key: string, value: Value, weight: number): void => {
      drop(key)
      entries.set(key, { value, weight })
      total += weight
      for (const oldest of entries.keys()) {
        if (total <= maxWeight) break
        drop(oldest)
      }
    },
  }
}
