import { tooLong } from './problemTexts.ts'
import type { Steps } from './steps.ts'
import { excerpt, type ParsedTemplate, type TemplateNode, type TemplatePath, type TemplateProblem } from './template.ts'
import { textProblem } from './text.ts'

/** Limit for readers; header fields are folded, so the 998 characters of a line (RFC 5322 §2.1.1) do not apply. */
const subjectCharacters = 998

/** Enough to repair a request; a loop can miss the same name 30,000 times. */
const maxRenderProblems = 100

/**
 * Renders a parsed part in steps with values as Handlebars would, by walking the tree: it generates no code, reads no
 * property of a prototype, and stops when the budget is used up. It never throws for values that came from JSON.
 *
 * Every placeholder that is reached needs a value; `null` is a value and prints nothing. The condition of a block
 * (`{{#if x}}`) needs one too; placeholders in a branch that is not rendered do not.
 *
 * Problem codes: `missing_variable`, `unprintable_value` (an object or array), `unsafe_url` (`javascript:` and the like
 * at the start of a URL), `control_character`, `lone_surrogate` and `too_long` (a subject), `render_limit`.
 */
export function* renderTemplateSteps(
  template: ParsedTemplate,
  vars: Readonly<Record<string, unknown>>,
  budget: RenderBudget,
): Steps<Rendered> {
  const run: Run = { template, budget, output: '', url: null, problems: new Map(), stopped: false }
  yield* renderNodes(run, template.nodes, { value: vars, from: null, step: '' })
  if (!run.stopped && !budget.add(run.output)) stop(run)
  if (!run.stopped && template.part === 'subject' && run.output.length > subjectCharacters) {
    add(run, { path: 'subject', ...tooLong(subjectCharacters) })
  }
  return run.problems.size === 0
    ? { ok: true, output: run.output }
    : { ok: false, problems: [...run.problems.values()] }
}

type Rendered = { ok: true; output: string } | { ok: false; problems: TemplateProblem[] }

/** `outputBytes` are bytes of UTF-8; one step is one node of the tree. */
export type RenderLimits = { outputBytes: number; steps: number; timeMs: number }

/**
 * 250,000 steps take about 25 ms. A loop over the 30,000 items that fit in `template_vars` may print seven values each.
 */
export const renderLimits: RenderLimits = { outputBytes: 2 * 1024 * 1024, steps: 250_000, timeMs: 100 }

/** Remaining part of the limits, shared by the parts of one email. */
export type RenderBudget = {
  limits: RenderLimits
  /** Uses one step; false: none is left. */
  step(): boolean
  /** Whether enough work was done since the last pause; `units` are the UTF-16 code units of the output so far. */
  wantsPause(units: number): boolean
  /** Stops the clock, and returns a function that starts it again: other work of the process runs during a pause. */
  pause(): () => void
  /** Whether `units` more UTF-16 code units can fit; called before the work of producing them. */
  fits(units: number): boolean
  /** Adds a finished output; false: it was too much. */
  add(output: string): boolean
}

/** Steps between two readings of the clock: an ordinary email never reads it, so a busy machine refuses none. */
const stepsPerClockReading = 4096

/** Work between two pauses: about 1 ms. An ordinary email never pauses. */
const [stepsPerPause, unitsPerPause] = [4096, 128 * 1024]

/** @param now a monotonic clock in milliseconds */
export const renderBudget = (elapsed: () => number, limits: RenderLimits = renderLimits): RenderBudget => {
  let deadline = elapsed() + limits.timeMs
  let steps = 0
  let bytes = 0
  let last = { steps: 0, units: 0 }
  return {
    limits,
    step: () => {
      steps += 1
      if (steps % stepsPerClockReading === 0 && elapsed() > deadline) steps = limits.steps
      return steps <= limits.steps
    },
    wantsPause: (units) => {
      // Each part starts with an empty output.
      if (units < last.units) last = { ...last, units }
      if (steps - last.steps < stepsPerPause && units - last.units < unitsPerPause) return false
      last = { steps, units }
      return true
    },
    pause: () => {
      const pausedAt = elapsed()
      return () => {
        deadline += elapsed() - pausedAt
      }
    },
    fits: (units) => bytes + units <= limits.outputBytes,
    add: (output) => {
      bytes += Buffer.byteLength(output)
      return bytes <= limits.outputBytes
    },
  }
}

type Run = {
  template: ParsedTemplate
  budget: RenderBudget
  output: string
  /**
   * The URL that values have written so far after content opened it, and the path of the last one; null: no URL is
   * open.
   */
  url: { text: string; by: string } | null
  problems: Map<string, TemplateProblem>
  stopped: boolean
}

/** The current position in the caller's values: a value, and the path to it. */
type Scope = { value: unknown; from: Scope | null; step: string }

/**
 * Nodes that are being rendered, from `next` on. `items`: the scopes of the items of a loop that follow; null: no loop.
 */
type Frame = { nodes: readonly TemplateNode[]; next: number; scope: Scope; items: Iterator<Scope> | null }

/** Walks the tree with a stack of its own, because a generator for each level would cost more than the work. */
function* renderNodes(run: Run, nodes: readonly TemplateNode[], scope: Scope): Steps<void> {
  const stack: Frame[] = [{ nodes, next: 0, scope, items: null }]
  for (let frame = stack.at(-1); frame && !run.stopped; frame = stack.at(-1)) {
    if (run.budget.wantsPause(run.output.length)) {
      const resume = run.budget.pause()
      yield
      resume()
    }
    const node = frame.nodes[frame.next]
    if (!node && !nextItem(frame)) {
      stack.pop()
      continue
    }
    if (!run.budget.step()) stop(run)
    else if (node) {
      frame.next += 1
      const inside = renderNode(run, node, frame.scope)
      if (inside) stack.push(inside)
    }
  }
}

/** Continues a loop with its next item; false: there is none, or this is no loop. */
const nextItem = (frame: Frame): boolean => {
  const item = frame.items?.next()
  if (!item || item.done) return false
  frame.scope = item.value
  frame.next = 0
  return true
}

/** Renders a node; returns the nodes to render inside it. */
const renderNode = (run: Run, node: TemplateNode, scope: Scope): Frame | null => {
  if (node.kind === 'content') {
    // A URL that the template spells out from its start is the author's responsibility.
    if (run.url?.text) growUrl(run, run.url, node.text)
    run.url = node.opensUrl ? { text: '', by: '' } : null
    put(run, node.text)
    return null
  }
  const value = valueAt(scope.value, node.path)
  if (value === undefined) addAt(run, scope, node.path, 'missing_variable', 'The template needs a value for this.')
  else if (node.kind === 'print') print(run, node, value, scope)
  else if (node.kind === 'each') return loopOf(node, value, scope)
  else return { nodes: isTruthy(value) ? node.truthy : node.falsy, next: 0, scope, items: null }
  return null
}

/** Follows a path through own properties of arrays and objects; undefined: there is no such value. */
const valueAt = (value: unknown, path: TemplatePath): unknown => {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}

/**
 * Returns whether a value is true as Handlebars decides: 0, an empty string and an empty array are false, an empty
 * object is true.
 */
const isTruthy = (value: unknown): boolean => Boolean(value) && !(Array.isArray(value) && value.length === 0)

const loopOf = (node: TemplateNode & { kind: 'each' }, value: unknown, scope: Scope): Frame => {
  const items = itemsOf(value, { value, from: scope, step: node.path.map((name) => `.${name}`).join('') })
  const first = items.next()
  return first.done
    ? { nodes: node.none, next: 0, scope, items: null }
    : { nodes: node.item, next: 0, scope: first.value, items }
}

/** Returns the scopes of the items of an array or object. */
function* itemsOf(value: unknown, here: Scope): Generator<Scope, undefined> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield { value: item, from: here, step: `[${index}]` }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) yield { value: item, from: here, step: `.${excerpt(name)}` }
  }
}

const print = (run: Run, node: TemplateNode & { kind: 'print' }, value: unknown, scope: Scope): void => {
  const text = printed(value)
  if (text === undefined) {
    const kind = Array.isArray(value) ? 'an array' : 'an object'
    addAt(run, scope, node.path, 'unprintable_value', `The template prints this value, but it is ${kind}.`)
    return
  }
  // Checked before any work whose time grows with the length.
  if (!run.budget.fits(run.output.length + text.length)) {
    stop(run)
    return
  }
  // A line break would start another header field (RFC 5322 §2.2).
  const problem = run.template.part === 'subject' ? textProblem(text) : null
  if (problem) addAt(run, scope, node.path, problem.code, problem.message)
  if (run.url) growUrl(run, { text: run.url.text, by: pathOf(scope, node.path) }, text)
  put(run, node.raw ? text : escapeHtml(text))
}

/** Returns a value as text; undefined: it has none, such as an object. */
const printed = (value: unknown): string | undefined => {
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

/** Escapes what Handlebars escapes; `=` and the backtick matter in attributes without quotes. */
const escapeHtml = (text: string): string =>
  /[&<>"'`=]/.test(text) ? text.replace(/[&<>"'`=]/g, (character) => escapes[character] ?? character) : text

const put = (run: Run, text: string): void => {
  run.output += text
  if (!run.budget.fits(run.output.length)) stop(run)
}

/** Most URLs are harmless by their first letter. */
const harmlessUrl = /^[^!-\uffff]*(?![jvd])[!-\uffff]/i

const harmfulUrl = /^(?:javascript|vbscript|data):/i

/**
 * Checks the start of a URL, which may come from several values. Browsers skip blanks and control characters before
 * and inside a scheme (URL standard, basic URL parser, steps 1–3), so they are left out here.
 */
const growUrl = (run: Run, { text: before, by }: { text: string; by: string }, text: string): void => {
  if (harmlessUrl.test(before + text)) {
    run.url = null
    return
  }
  const url = (before + text.replace(/[^!-\uffff]+/g, '').slice(0, 32)).slice(0, 32)
  run.url = { text: url, by }
  if (!harmfulUrl.test(url)) return
  add(run, {
    path: by,
    code: 'unsafe_url',
    message: `A URL must not start like this, because it would run as code: ${url}`,
  })
}

/** Returns the path of a value as callers write it: `template_vars.items[2].name`. */
const pathOf = (scope: Scope, path: TemplatePath): string => {
  const names = path.map((name) => `.${name}`).join('')
  return scope.from === null ? `template_vars${names}` : `${pathOf(scope.from, [])}${scope.step}${names}`
}

const addAt = (run: Run, scope: Scope, names: TemplatePath, code: string, message: string): void =>
  add(run, { path: pathOf(scope, names), code, message })

const add = (run: Run, problem: TemplateProblem): void => {
  run.problems.set(`${problem.code} ${problem.path}`, problem)
  if (run.problems.size >= maxRenderProblems) run.stopped = true
}

const stop = (run: Run): void => {
  run.stopped = true
  const { outputBytes, timeMs } = run.budget.limits
  const message = `The rendered email is over ${outputBytes} bytes, or rendering takes longer than ${timeMs} ms.`
  add(run, { path: 'template_vars', code: 'render_limit', message })
}
