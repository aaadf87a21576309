import {
  type ParsedTemplate,
  problemAt,
  type TemplateNode,
  type TemplatePart,
  type TemplatePath,
  type TemplateProblem,
} from './template.ts'
import { readPath } from './templatePath.ts'

/**
 * Translates handlebars' syntax tree into ours, statement by statement; whatever has no translation is a problem.
 * This is the wall: what our renderer can be made to do is what is named here, whatever the parser may let through.
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
      return refuse(check, statement, "this isn't part of the template language")
  }
}

/** Where an attribute that holds an address begins; looked for at the end of content, so what comes next is the address. */
const urlAttribute = /(?:^|[\s"'/:])(?:href|src|action|formaction|background|poster)\s*=\s*["']?\s*$/i

const contentOf = (check: Check, text: string): TemplateNode | null => {
  if (text === '') return null
  // The tail alone: on a long run of spaces the expression would take time in its square.
  const opensUrl = check.part === 'html_body' && urlAttribute.test(text.slice(-64))
  return { kind: 'content', text, opensUrl }
}

const printOf = (check: Check, statement: hbs.AST.MustacheStatement, inEach: boolean): TemplateNode | null => {
  const { path: expression, params, hash, escaped } = statement
  if (params.length > 0 || hash) return refuse(check, statement, "helpers aren't supported")
  if (!escaped && check.part !== 'html_body') return refuse(check, statement, '{{{name}}} stands only in html_body')
  const path = pathOf(check, expression, inEach)
  if (path === null) return null
  if (path.length === 0 && !inEach) return refuse(check, statement, '{{this}} is printed only inside {{#each}}')
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
    return refuse(check, statement, `{{#${word}}} takes exactly one name`)
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
  if (type !== 'PathExpression' || data || depth > 0) return refuse(check, expression, "this isn't a name")
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
