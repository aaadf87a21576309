import { recipientProblems } from './recipients.ts'

type Problem = { path: string; code: string; message: string }

const isGiven = (raw: Record<string, unknown>, name: string): boolean => raw[name] !== undefined && raw[name] !== null

const missing = (path: string, message: string): Problem => ({ path, code: 'missing', message })

/** Raw mode: a subject, and at least one body. */
const rawMode = (raw: Record<string, unknown>): Problem[] => [
  ...(isGiven(raw, 'subject') ? [] : [missing('subject', 'A subject is required, or a template_id.')]),
  ...(isGiven(raw, 'html') || isGiven(raw, 'text')
    ? []
    : [missing('html', 'At least one of html and text is required, or a template_id.')]),
  ...(isGiven(raw, 'template_vars')
    ? [missing('template_id', 'template_vars needs the template_id of the template they are for.')]
    : []),
]

/** Template mode: the values, and nothing of what the template brings. */
const templateMode = (raw: Record<string, unknown>): Problem[] => [
  ...(isGiven(raw, 'template_vars')
    ? []
    : [missing('template_vars', 'A template needs template_vars; {} where it has no placeholders.')]),
  ...['subject', 'html', 'text']
    .filter((name) => isGiven(raw, name))
    .map((name) => ({
      path: name,
      code: 'not_with_template',
      message: 'Must be absent beside template_id: it comes from the template.',
    })),
]

/** What the fields of a send decide together. */
export const sendRules = (raw: Record<string, unknown>): Problem[] => [
  ...(isGiven(raw, 'template_id') ? templateMode(raw) : rawMode(raw)),
  ...recipientProblems(raw),
]
