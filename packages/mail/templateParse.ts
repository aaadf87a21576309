import { tooLong } from './problemTexts.ts'
import type { Steps } from './steps.ts'
import {
  type ParsedTemplate,
  problemAt,
  readPath,
  type TemplateLimits,
  type TemplateNode,
  type TemplatePart,
  type TemplatePath,
  type TemplateProblem,
  templateLimits,
} from './template.ts'
import { parseInPieces } from './templatePieces.ts'
import { scanTemplate } from './templateScan.ts'

/**
 * Parses one part of a template in steps. The language is `{{name}}`, `{{{name}}}` (in `html_body`), `#if`, `#unless`,
 * `#each`, `else`, `this` and comments. Everything else is a problem, with its line and column.
 *
 * Problem codes: `too_long`, `control_character`, `template_syntax` (not a template), `template_forbidden` (valid
 * handlebars, but not supported), `unknown_variable` (a name that leads into the language), `too_many_variables`,
 * `render_limit` (tags, depth).
 */
export function* parseTemplateSteps(
  source: string,
  part: TemplatePart,
  limits: TemplateLimits = templateLimits,
): Steps<Parsed> {
  // The parser also accepts a finished syntax tree and returns it unchecked (CVE-2026-33937).
  if (typeof source !== 'string') throw new TypeError('a template is a string')
  if (Buffer.byteLength(source) > limits.partBytes) {
    const { code, message } = tooLong(limits.partBytes, 'bytes')
    return refused(part, code, message)
  }
  const scanned = yield* scanTemplate(source, part, limits)
  if (scanned.problems.length > 0) return { ok: false, problems: scanned.problems }
  const program = yield* parseInPieces(source, scanned.tags)
  if (source.length > longPart) yield
  const { template, used, problems } = checkTemplate(program, part)
  if (problems.length > 0) return { ok: false, problems }
  if (used > limits.variables) {
    return refused(part, 'too_many_variables', `This has ${used} variables; at most ${limits.variables} are allowed.`)
  }
  return { ok: true, template }
}

type Parsed = { ok: true; template: ParsedTemplate } | { ok: false; problems: TemplateProblem[] }

/** A part with more than this number of characters pauses between the parser and the check, and after them. */
export const longPart = 16_384

const refused = (path: TemplatePart, code: string, message: string): { ok: false; problems: TemplateProblem[] } => ({
  ok: false,
  problems: [{ path, code, message }],
})

/**
 * Translates handlebars' syntax tree into ours, statement by statement; a statement without a translation is a problem.
 * This is the second check after the scan: the renderer can only do what is named here, even if the parser accepts
 * more. `used` counts the variables, those of items included.
 */
export const checkTemplate = (
  program: hbs.AST.Program,
  part: TemplatePart,
): { template: ParsedTemplate; used: number; problems: TemplateProblem[] } => {
  const check: Check = { part, variables: new Set(), itemVariables: new Set(), problems: [] }
  const nodes = nodesOf(check, program, false)
  const template = { part, nodes, variables: [...check.variables] }
  return { template, used: check.variables.size + check.itemVariables.size, problems: check.problems }
}

type Check = {
  part: TemplatePart
  variables: Set<string>
  itemVariables: Set<string>
  problems: TemplateProblem[]
}

type Statement =
  | hbs.AST.ContentStatement
  | hbs.AST.CommentStatement
  | hbs.AST.MustacheStatement
  | (hbs.AST.BlockStatement & { type: 'BlockStatement' })

const nodesOf = (check: Check, program: hbs.AST.Program | undefined, inEach: boolean): TemplateNode[] =>
  (program?.body ?? []).flatMap((statement) => nodeOf(check, statement as Statement, inEach) ?? [])

const nodeOf = (check: Check, statement: Statement, inEach: boolean): TemplateNode | null => {
  switch (statement.type) {
    case 'ContentStatement':
      return contentOf(check, statement.value)
    case 'CommentStatement':
      return null
    case 'MustacheStatement':
      return printOf(check, statement, inEach)
    case 'BlockStatement':
      return blockOf(check, statement, inEach)
    default:
      return refuse(check, statement, 'this is not part of the template language')
  }
}

/** Matches the start of an attribute with a URL at the end of content, so that the next value begins the URL. */
const urlAttribute = /(?:^|[\s"'/:])(?:href|src|action|formaction|background|poster)\s*=\s*["']?\s*$/i

const contentOf = (check: Check, text: string): TemplateNode | null => {
  if (text === '') return null
  // Only the tail is tested: on a long run of spaces the expression needs time in the square of its length.
  const opensUrl = check.part === 'html_body' && urlAttribute.test(text.slice(-64))
  return { kind: 'content', text, opensUrl }
}

const printOf = (check: Check, statement: hbs.AST.MustacheStatement, inEach: boolean): TemplateNode | null => {
  const { path: expression, params, hash, escaped } = statement
  if (params.length > 0 || hash) return refuse(check, statement, 'helpers are not supported')
  if (!escaped && check.part !== 'html_body') {
    return refuse(check, statement, '{{{name}}} is only allowed in html_body')
  }
  const path = pathOf(check, expression, inEach)
  if (path === null) return null
  if (path.length === 0 && !inEach) return refuse(check, statement, '{{this}} is only allowed inside {{#each}}')
  return { kind: 'print', path, raw: !escaped || check.part !== 'html_body' }
}

const blockOf = (check: Check, statement: hbs.AST.BlockStatement, inEach: boolean): TemplateNode | null => {
  const { path: helper, params, hash, program, inverse } = statement
  const [subject] = params
  const word = helper.original
  if (word !== 'if' && word !== 'unless' && word !== 'each') {
    return refuse(check, statement, 'the only blocks are {{#if}}, {{#unless}} and {{#each}}')
  }
  if (!subject || params.length > 1 || hash || program?.blockParams) {
    return refuse(check, statement, `{{#${word}}} needs exactly one name`)
  }
  const path = pathOf(check, subject, inEach)
  const main = nodesOf(check, program, inEach || word === 'each')
  const other = nodesOf(check, inverse, inEach)
  if (path === null) return null
  if (word === 'each') return { kind: 'each', path, item: main, none: other }
  return word === 'if'
    ? { kind: 'if', path, truthy: main, falsy: other }
    : { kind: 'if', path, truthy: other, falsy: main }
}

const pathOf = (check: Check, expression: hbs.AST.Expression, inEach: boolean): TemplatePath | null => {
  const { type, data, depth, original } = expression as hbs.AST.PathExpression
  if (type !== 'PathExpression' || data || depth > 0) return refuse(check, expression, 'this is not a name')
  const read = readPath(original)
  if ('code' in read) return refuse(check, expression, read.message, read.code)
  const named = inEach ? check.itemVariables : check.variables
  if (read.names.length > 0) named.add(read.names.join('.'))
  return read.names
}

const refuse = (check: Check, node: hbs.AST.Node, message: string, code = 'template_forbidden'): null => {
  const { line, column } = node.loc.start
  check.problems.push(problemAt(check.part, { line, column: column + 1 }, code, message))
  return null
}
