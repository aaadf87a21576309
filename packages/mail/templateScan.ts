import { problemAt, type TemplateLimits, type TemplatePart, type TemplateProblem } from './template.ts'
import { adviceFor } from './templateAdvice.ts'
import { pathShape, readPath } from './templatePath.ts'
import { type TemplateTag, tagsOf } from './templateTags.ts'

/** Enough to repair a template by; a hostile one has as many as it has tags. */
const mostProblems = 20

/**
 * Looks at every tag before handlebars' parser does, for two reasons: the parser's time grows with the square of the
 * depth (3,000 nested ifs: 1.6 s, then the stack overflows), and its errors have no column. What passes here it takes.
 */
export const scanTemplate = (source: string, part: TemplatePart, limits: TemplateLimits): TemplateProblem[] => {
  const scan: Scan = { source, part, limits, problems: [], open: [], depth: 0 }
  scanCharacters(scan)
  let tags = 0
  for (const tag of tagsOf(source)) {
    tags += 1
    if (tags > limits.tags) refuse(scan, tag.at, 'render_limit', `more than ${limits.tags} tags`)
    else scanTag(scan, tag)
    if (tags > limits.tags || scan.depth > limits.depth || scan.problems.length >= mostProblems) break
  }
  if (scan.problems.length === 0) refuseUnclosed(scan)
  return scan.problems
}

type Scan = {
  source: string
  part: TemplatePart
  limits: TemplateLimits
  problems: TemplateProblem[]
  open: Block[]
  /** Levels of nesting at this tag; each `{{else if}}` is one, as the parser nests them. */
  depth: number
}

type Block = { word: string; at: number; levels: number; elseSeen: boolean }

/** A line break in a subject would begin another header (RFC 5322 §2.2); NUL ends the parser's input. */
const scanCharacters = (scan: Scan): void => {
  const at = scan.part === 'subject' ? scan.source.search(/[\p{Cc}\u2028\u2029]/u) : scan.source.indexOf('\0')
  if (at !== -1) refuse(scan, at, 'control_character', 'a line break or control character is not allowed here')
}

const word = '(?:if|unless|each)'

/** The whole language. `else` first: it has the shape of a name. */
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
  if (kind === 'unclosed') refuse(scan, at, 'template_syntax', 'the braces opened here are never closed')
  if (kind !== 'tag') return
  const form = permitted.exec(text)?.groups
  const advice = form ? null : adviceFor(text)
  if (form) scanForm(scan, at, form)
  if (advice) refuse(scan, at, advice.code, advice.message)
}

const scanForm = (scan: Scan, at: number, form: Record<string, string | undefined>): void => {
  const { otherwise, chained, printed, raw, open, subject, close } = form
  if (raw !== undefined && scan.part !== 'html_body') {
    refuse(scan, at, 'template_forbidden', '{{{name}}} stands only in html_body; {{name}} is plain here')
  }
  scanPath(scan, at, chained ?? printed ?? raw ?? subject)
  if (open !== undefined) openBlock(scan, at, open)
  if (otherwise !== undefined) elseBlock(scan, at, chained !== undefined)
  if (close !== undefined) closeBlock(scan, at, close)
}

const scanPath = (scan: Scan, at: number, path: string | undefined): void => {
  const read = path === undefined ? null : readPath(path)
  if (read && 'code' in read) refuse(scan, at, read.code, read.message)
}

const openBlock = (scan: Scan, at: number, word: string): void => {
  scan.open.push({ word, at, levels: 1, elseSeen: false })
  deeper(scan, at)
}

const elseBlock = (scan: Scan, at: number, chained: boolean): void => {
  const block = scan.open.at(-1)
  if (!block) {
    refuse(scan, at, 'template_syntax', '{{else}} outside of a block')
  } else if (block.elseSeen) {
    refuse(scan, at, 'template_syntax', `{{#${block.word}}} had its {{else}} already`)
  } else if (chained) {
    block.levels += 1
    deeper(scan, at)
  } else {
    block.elseSeen = true
  }
}

const closeBlock = (scan: Scan, at: number, word: string): void => {
  const block = scan.open.pop()
  scan.depth -= block?.levels ?? 0
  if (!block) refuse(scan, at, 'template_syntax', `{{/${word}}} closes nothing`)
  else if (block.word !== word) refuse(scan, at, 'template_syntax', `{{/${word}}} where {{/${block.word}}} is due`)
}

const deeper = (scan: Scan, at: number): void => {
  scan.depth += 1
  if (scan.depth > scan.limits.depth) refuse(scan, at, 'render_limit', `blocks more than ${scan.limits.depth} deep`)
}

const refuseUnclosed = (scan: Scan): void => {
  for (const block of scan.open.slice(0, mostProblems)) {
    refuse(scan, block.at, 'template_syntax', `{{#${block.word}}} is never closed`)
  }
}

const refuse = (scan: Scan, at: number, code: string, message: string): void => {
  const lines = scan.source.slice(0, at).split(/\r\n?|\n/)
  const position = { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
  scan.problems.push(problemAt(scan.part, position, code, message))
}
