import type { Steps } from './steps.ts'
import {
  excerpt,
  nameRule,
  pathShape,
  problemAt,
  readPath,
  type TemplateLimits,
  type TemplatePart,
  type TemplateProblem,
} from './template.ts'

/** Enough to repair a template; a hostile one could have a problem per tag. */
const maxScanProblems = 20

/** Tags that a step scans, or that handlebars parses in a step: it needs 8 to 25 µs per tag. */
export const tagsPerStep = 100

/**
 * Checks every tag before handlebars' parser runs, for two reasons: the parser's time grows with the square of the
 * depth (3,000 nested ifs take 1.6 s, then the stack overflows), and its errors have no column. The parser accepts
 * every source that passes here.
 */
export function* scanTemplate(
  source: string,
  part: TemplatePart,
  limits: TemplateLimits,
): Steps<{ problems: TemplateProblem[]; tags: TemplateTag[] }> {
  const scan: Scan = { source, part, limits, problems: [], open: [], depth: 0, names: 0, line: { number: 1, at: 0 } }
  scanCharacters(scan)
  const tags: TemplateTag[] = []
  for (const tag of tagsOf(source)) {
    tags.push(tag)
    if (tags.length > limits.tags) refuse(scan, tag.at, 'render_limit', `more than ${limits.tags} tags`)
    else scanTag(scan, tag)
    if (tags.length > limits.tags || scan.depth > limits.depth || scan.problems.length >= maxScanProblems) break
    if (tags.length % tagsPerStep === 0) yield
  }
  if (scan.problems.length === 0) refuseUnclosed(scan)
  return { problems: scan.problems, tags }
}

type Scan = {
  source: string
  part: TemplatePart
  limits: TemplateLimits
  problems: TemplateProblem[]
  open: Block[]
  /** Levels of nesting at this tag. Each `{{else if}}` adds one, as in the parser. */
  depth: number
  /** Names of all paths so far: `a.b` has two. */
  names: number
  /** The line of the last problem, from 1, and the index of its first character. */
  line: { number: number; at: number }
}

type Block = { word: string; at: number; levels: number; elseSeen: boolean }

/** A line break in a subject would start another header field (RFC 5322 §2.2); NUL ends the parser's input. */
const scanCharacters = (scan: Scan): void => {
  const at = scan.part === 'subject' ? scan.source.search(/[\p{Cc}\u2028\u2029]/u) : scan.source.indexOf('\0')
  if (at !== -1) refuse(scan, at, 'control_character', 'line breaks and control characters are not allowed here')
}

const word = '(?:if|unless|each)'

/** The whole language. `else` comes first because it also has the shape of a name. */
const permitted = new RegExp(
  [
    `^\\{\\{~?\\s*(?<otherwise>else)(?:\\s+${word}\\s+(?<chained>${pathShape}))?\\s*~?\\}\\}$`,
    `^\\{\\{~?\\s*(?<printed>${pathShape})\\s*~?\\}\\}$`,
    `^\\{\\{~?\\{\\s*(?<raw>${pathShape})\\s*\\}~?\\}\\}$`,
    `^\\{\\{~?#\\s*(?<open>${word})\\s+(?<subject>${pathShape})\\s*~?\\}\\}$`,
    `^\\{\\{~?/\\s*(?<close>${word})\\s*~?\\}\\}$`,
  ].join('|'),
)

const scanTag = (scan: Scan, { kind, at, text }: TemplateTag): void => {
  if (kind === 'unclosed') refuse(scan, at, 'template_syntax', 'these braces are never closed')
  if (kind !== 'tag') return
  const form = permitted.exec(text)?.groups
  const advice = form ? null : adviceFor(text)
  if (form) scanForm(scan, at, form)
  if (advice) refuse(scan, at, advice.code, advice.message)
}

const scanForm = (scan: Scan, at: number, form: Record<string, string | undefined>): void => {
  const { otherwise, chained, printed, raw, open, subject, close } = form
  if (raw !== undefined && scan.part !== 'html_body') {
    refuse(
      scan,
      at,
      'template_forbidden',
      '{{{name}}} is only allowed in html_body; use {{name}}, which prints plain text here',
    )
  }
  scanPath(scan, at, chained ?? printed ?? raw ?? subject)
  if ((printed ?? raw) === 'this' && !scan.open.some(({ word, elseSeen }) => word === 'each' && !elseSeen)) {
    refuse(scan, at, 'template_forbidden', '{{this}} is only allowed inside {{#each}}')
  }
  if (open !== undefined) openBlock(scan, at, open)
  if (otherwise !== undefined) elseBlock(scan, at, chained !== undefined)
  if (close !== undefined) closeBlock(scan, at, close)
}

const scanPath = (scan: Scan, at: number, path: string | undefined): void => {
  const read = path === undefined ? null : readPath(path)
  if (!read) return
  if ('code' in read) {
    refuse(scan, at, read.code, read.message)
    return
  }
  const { names = Number.POSITIVE_INFINITY } = scan.limits
  const isOver = scan.names > names
  scan.names += read.names.length
  if (!isOver && scan.names > names) refuse(scan, at, 'render_limit', `paths with more than ${names} names in all`)
}

const openBlock = (scan: Scan, at: number, word: string): void => {
  scan.open.push({ word, at, levels: 1, elseSeen: false })
  nest(scan, at)
}

const elseBlock = (scan: Scan, at: number, chained: boolean): void => {
  const block = scan.open.at(-1)
  if (!block) {
    refuse(scan, at, 'template_syntax', '{{else}} is outside a block')
  } else if (block.elseSeen) {
    refuse(scan, at, 'template_syntax', `{{#${block.word}}} already has an {{else}}`)
  } else if (chained) {
    block.levels += 1
    nest(scan, at)
  } else {
    block.elseSeen = true
  }
}

const closeBlock = (scan: Scan, at: number, word: string): void => {
  const block = scan.open.pop()
  scan.depth -= block?.levels ?? 0
  if (!block) refuse(scan, at, 'template_syntax', `{{/${word}}} closes no block`)
  else if (block.word !== word)
    refuse(scan, at, 'template_syntax', `expected {{/${block.word}}} instead of {{/${word}}}`)
}

const nest = (scan: Scan, at: number): void => {
  scan.depth += 1
  if (scan.depth > scan.limits.depth) {
    refuse(scan, at, 'render_limit', `blocks are nested more than ${scan.limits.depth} levels deep`)
  }
}

const refuseUnclosed = (scan: Scan): void => {
  for (const block of scan.open.slice(0, maxScanProblems)) {
    refuse(scan, block.at, 'template_syntax', `{{#${block.word}}} is never closed`)
  }
}

const refuse = (scan: Scan, at: number, code: string, message: string): void => {
  scan.line = lineAt(scan.source, at, at < scan.line.at ? { number: 1, at: 0 } : scan.line)
  const position = { line: scan.line.number, column: at - scan.line.at + 1 }
  scan.problems.push(problemAt(scan.part, position, code, message))
}

/** Returns the line of a position. Counts from an earlier line, so that all problems together read the source once. */
const lineAt = (source: string, at: number, from: Scan['line']): Scan['line'] => {
  const line = { ...from }
  const breaks = /\r\n?|\n/g
  breaks.lastIndex = from.at
  while (breaks.test(source) && breaks.lastIndex <= at) {
    line.number += 1
    line.at = breaks.lastIndex
  }
  return line
}

/** A piece of a template that is not content: its position, and its text including the braces. */
export type TemplateTag = { kind: 'tag' | 'comment' | 'escaped' | 'unclosed'; at: number; text: string }

/**
 * Splits a source into tags as handlebars' lexer does. An unclosed tag is the last: it contains the rest of the source.
 */
function* tagsOf(source: string): Generator<TemplateTag> {
  let at = source.indexOf('{{')
  while (at !== -1) {
    const tag = tagAt(source, at)
    yield tag
    at = tag.kind === 'unclosed' ? -1 : source.indexOf('{{', at + tag.text.length)
  }
}

const tagAt = (source: string, at: number): TemplateTag => {
  // Handlebars reads one backslash as an escape of the tag, and two as a backslash before it.
  if (source[at - 1] === '\\' && source[at - 2] !== '\\') return { kind: 'escaped', at, text: '{{' }
  const comment = /^\{\{~?(!(?:--)?)/.exec(source.slice(at, at + 6))?.[1]
  const end = comment === undefined ? tagEnd(source, at) : commentEnd(source, at, comment)
  if (end === -1) return { kind: 'unclosed', at, text: source.slice(at) }
  return { kind: comment === undefined ? 'tag' : 'comment', at, text: source.slice(at, end) }
}

/** Returns the index after the tag; -1: it has no end. Handlebars counts up to four closing braces as part of a tag. */
const tagEnd = (source: string, at: number): number => {
  const closing = source.indexOf('}}', at)
  const braces = /^\}+/.exec(source.slice(closing, closing + 4))?.[0]
  return closing === -1 || !braces ? -1 : closing + braces.length
}

const commentEnd = (source: string, at: number, opening: string): number => {
  const closing = opening === '!--' ? /--~?\}\}/g : /\}\}/g
  closing.lastIndex = at
  return closing.test(source) ? closing.lastIndex : -1
}

/** Explains why a tag has none of the permitted forms: the first entry that matches it. */
const adviceFor = (tag: string): { code: string; message: string } => {
  const [, code, advice] = refusals.find(([form]) => form.test(tag)) ?? otherwise
  return { code, message: `${excerpt(tag)}: ${advice}` }
}

type Refusal = readonly [form: RegExp, code: 'template_syntax' | 'template_forbidden', advice: string]

const refusals: readonly Refusal[] = [
  [/^\{\{\{\{/, 'template_forbidden', 'raw blocks are not supported'],
  [/^\{\{~?#?>/, 'template_forbidden', 'partials are not supported'],
  [/^\{\{~?#?\*/, 'template_forbidden', 'decorators are not supported'],
  [/^\{\{~?&/, 'template_forbidden', 'use {{{ }}} instead of {{& }}'],
  [
    /^\{\{~?(?:\{[^{}]*(?:\}\}|\}{4})|[^{~][^{}]*\}{3,4})$/,
    'template_syntax',
    'the numbers of opening and closing braces differ; put a space between a literal brace and the tag',
  ],
  [/^\{\{~?\^/, 'template_forbidden', 'use {{#unless}} or {{else}} instead of {{^ }}'],
  [/\.\.\//, 'template_forbidden', '../ is not supported: a block can only use its own item'],
  [/@/, 'template_forbidden', 'data variables such as @root and @index are not supported'],
  [/\(/, 'template_forbidden', 'subexpressions are not supported'],
  [/["']|^\{\{~?\{?\s*[\d-]/, 'template_forbidden', 'literals are not supported'],
  [/=/, 'template_forbidden', 'options such as a=b are not supported'],
  [/\|/, 'template_forbidden', 'block parameters are not supported'],
  [/^\{\{~?[#/]\s*(?:if|unless|each)\b/, 'template_syntax', '#if, #unless and #each need exactly one name'],
  [/^\{\{~?[#/]/, 'template_forbidden', 'the only blocks are #if, #unless and #each'],
  [/^\{\{~?\{?\s*(?:lookup|log|with)\s/, 'template_forbidden', 'helpers are not supported'],
  [/^\{\{~?\{?\s*~?\}/, 'template_syntax', 'the tag has no name'],
  [/^\{\{~?\{?\s*[^\s{}]+\s+[^\s{}]/, 'template_syntax', 'a name has no spaces, and helpers are not supported'],
]

const otherwise: Refusal = [/^/, 'template_syntax', `this is not a name: ${nameRule}`]
