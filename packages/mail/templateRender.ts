import { excerpt, type ParsedTemplate, type TemplateNode, type TemplatePath, type TemplateProblem } from './template.ts'
import type { RenderBudget } from './templateBudget.ts'
import { escapeHtml, isTruthy, pathOf, printed, type TemplateScope, valueAt } from './templateValue.ts'
import { textProblem } from './text.ts'

/** Header fields are folded, so this is for readers, not for a line (RFC 5322 §2.1.1 has 998 for that). */
const subjectCharacters = 998

/** Enough to repair a request by; a loop can miss the same name 30,000 times. */
const mostProblems = 100

/**
 * Puts values into a parsed part, as Handlebars would, by walking the tree: no code is made, no getter of a prototype is
 * reached, and the budget ends it wherever it is. Never throws, whatever the values are made of, as long as they came from JSON.
 *
 * Every placeholder that is come to needs a value; `null` is one and prints nothing. What decides a block (`{{#if x}}`)
 * needs one too; what stands in a branch not taken doesn't.
 *
 * Problem codes: `missing_variable`, `unprintable_value` (an object or array), `unsafe_url` (`javascript:` and the like
 * where an address begins), `control_character`, `lone_surrogate` and `too_long` (a subject), `render_limit`.
 */
export const renderTemplate = (
  template: ParsedTemplate,
  vars: Readonly<Record<string, unknown>>,
  budget: RenderBudget,
): { ok: true; output: string } | { ok: false; problems: TemplateProblem[] } => {
  const run: Run = { template, budget, output: '', url: null, problems: new Map(), stopped: false }
  renderNodes(run, template.nodes, { value: vars, from: null, step: '' })
  if (!run.stopped && !budget.take(run.output)) stop(run)
  if (!run.stopped && template.part === 'subject' && run.output.length > subjectCharacters) {
    add(run, { path: 'subject', code: 'too_long', message: `A subject has at most ${subjectCharacters} characters.` })
  }
  return run.problems.size === 0
    ? { ok: true, output: run.output }
    : { ok: false, problems: [...run.problems.values()] }
}

type Run = {
  template: ParsedTemplate
  budget: RenderBudget
  output: string
  /** What values have put into the address that content just began, and which was the last; null: no address begins here. */
  url: { said: string; by: string } | null
  problems: Map<string, TemplateProblem>
  stopped: boolean
}

const renderNodes = (run: Run, nodes: readonly TemplateNode[], scope: TemplateScope): void => {
  for (const node of nodes) {
    if (!run.budget.step()) stop(run)
    if (run.stopped) return
    renderNode(run, node, scope)
  }
}

const renderNode = (run: Run, node: TemplateNode, scope: TemplateScope): void => {
  if (node.kind === 'content') {
    // What the template itself spells out from the start is its author's business.
    if (run.url?.said) growUrl(run, run.url, node.text)
    run.url = node.opensUrl ? { said: '', by: '' } : null
    put(run, node.text)
    return
  }
  const value = valueAt(scope.value, node.path)
  if (value === undefined) addMissing(run, scope, node.path)
  else if (node.kind === 'print') print(run, node, value, scope)
  else if (node.kind === 'if') renderNodes(run, isTruthy(value) ? node.truthy : node.falsy, scope)
  else renderEach(run, node, value, scope)
}

const renderEach = (run: Run, node: TemplateNode & { kind: 'each' }, value: unknown, scope: TemplateScope): void => {
  const here = { value, from: scope, step: node.path.map((name) => `.${name}`).join('') }
  let items = 0
  const renderItem = (item: unknown, step: string): void => {
    items += 1
    if (!run.budget.step()) stop(run)
    renderNodes(run, node.item, { value: item, from: here, step })
  }
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && !run.stopped; i += 1) renderItem(value[i], `[${i}]`)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      if (run.stopped) return
      renderItem(item, `.${excerpt(name)}`)
    }
  }
  if (items === 0) renderNodes(run, node.none, scope)
}

const print = (run: Run, node: TemplateNode & { kind: 'print' }, value: unknown, scope: TemplateScope): void => {
  const text = printed(value)
  if (text === undefined) {
    const kind = Array.isArray(value) ? 'an array' : 'an object'
    addAt(run, scope, node.path, 'unprintable_value', `The template prints this, which is ${kind}.`)
    return
  }
  // Asked before any work that takes time by the length.
  if (!run.budget.fits(run.output.length + text.length)) {
    stop(run)
    return
  }
  // A line break would begin another header (RFC 5322 §2.2).
  const problem = run.template.part === 'subject' ? textProblem(text) : null
  if (problem) addAt(run, scope, node.path, problem.code, problem.message)
  if (run.url) growUrl(run, { said: run.url.said, by: pathOf(scope, node.path) }, text)
  put(run, node.raw ? text : escapeHtml(text))
}

const put = (run: Run, text: string): void => {
  run.output += text
  if (!run.budget.fits(run.output.length)) stop(run)
}

/** Most addresses are known for harmless by their first letter. */
const harmlessUrl = /^[^!-\uffff]*(?![jvd])[!-\uffff]/i

const harmfulUrl = /^(?:javascript|vbscript|data):/i

/**
 * Watches an address grow from its beginning, over several values if need be. Browsers skip blanks and control
 * characters in front of a scheme and inside it (URL standard, basic URL parser, steps 1–3), so they are left out here.
 */
const growUrl = (run: Run, { said, by }: { said: string; by: string }, text: string): void => {
  if (harmlessUrl.test(said + text)) {
    run.url = null
    return
  }
  const url = (said + text.replace(/[^!-\uffff]+/g, '').slice(0, 32)).slice(0, 32)
  run.url = { said: url, by }
  if (!harmfulUrl.test(url)) return
  add(run, {
    path: by,
    code: 'unsafe_url',
    message: `An address can't begin like this, for it would run as code: ${url}`,
  })
}

const addMissing = (run: Run, scope: TemplateScope, path: TemplatePath): void =>
  addAt(run, scope, path, 'missing_variable', 'The template needs a value for this.')

const addAt = (run: Run, scope: TemplateScope, names: TemplatePath, code: string, message: string): void =>
  add(run, { path: pathOf(scope, names), code, message })

const add = (run: Run, problem: TemplateProblem): void => {
  run.problems.set(`${problem.code} ${problem.path}`, problem)
  if (run.problems.size >= mostProblems) run.stopped = true
}

const stop = (run: Run): void => {
  run.stopped = true
  const { outputBytes, timeMs } = run.budget.limits
  const message = `An email has at most ${outputBytes} bytes and ${timeMs} ms of rendering.`
  add(run, { path: 'template_vars', code: 'render_limit', message })
}
