import Handlebars from 'handlebars'
import {
  type ParsedTemplate,
  type TemplateLimits,
  type TemplatePart,
  type TemplateProblem,
  templateLimits,
} from './template.ts'
import { checkTemplate } from './templateCheck.ts'
import { scanTemplate } from './templateScan.ts'

/**
 * Reads one part of a template: `{{name}}`, `{{{name}}}` (in `html_body`), `#if`, `#unless`, `#each`, `else`, `this`,
 * comments. Everything else is a problem, with its line and column.
 *
 * Problem codes: `too_long`, `control_character`, `template_syntax` (no template at all), `template_forbidden` (handlebars,
 * but not ours), `unknown_variable` (a name that leads into the language), `too_many_variables`, `render_limit` (tags, depth).
 */
export const parseTemplate = (
  source: string,
  part: TemplatePart,
  limits: TemplateLimits = templateLimits,
): { ok: true; template: ParsedTemplate } | { ok: false; problems: TemplateProblem[] } => {
  // The parser takes a finished syntax tree too and would hand it on unread (CVE-2026-33937).
  if (typeof source !== 'string') throw new TypeError('a template is a text')
  if (Buffer.byteLength(source) > limits.partBytes) {
    return refused(part, 'too_long', `This has at most ${limits.partBytes} bytes.`)
  }
  const scanned = scanTemplate(source, part, limits)
  if (scanned.length > 0) return { ok: false, problems: scanned }
  const { template, used, problems } = checkTemplate(Handlebars.parse(source), part)
  if (problems.length > 0) return { ok: false, problems }
  if (used > limits.variables) {
    return refused(part, 'too_many_variables', `This has at most ${limits.variables} variables; there are ${used}.`)
  }
  return { ok: true, template }
}

const refused = (path: TemplatePart, code: string, message: string): { ok: false; problems: TemplateProblem[] } => ({
  ok: false,
  problems: [{ path, code, message }],
})
