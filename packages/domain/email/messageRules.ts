import type { Problem } from '../problem.ts'

/* Rules between the fields of a message in a request: it has its own content, or that of a template. */

/** The fields of a request by their names in the API. */
type Fields = Readonly<Record<string, unknown>>

const isGiven = (fields: Fields, name: string): boolean => fields[name] !== undefined && fields[name] !== null

const missing = (path: string, message: string): Problem => ({ path, code: 'missing', message })

/** A message without a template requires a subject and at least one body. */
const ownContentProblems = (fields: Fields): Problem[] => [
  ...(isGiven(fields, 'subject') ? [] : [missing('subject', 'A subject or a template_id is required.')]),
  ...(isGiven(fields, 'html') || isGiven(fields, 'text')
    ? []
    : [missing('html', 'At least one of html and text, or a template_id, is required.')]),
  ...['template_vars', 'template_version']
    .filter((name) => isGiven(fields, name))
    .map((name) => missing('template_id', `${name} requires the template_id of its template.`)),
]

/** A message with a template requires its values and excludes the fields that the template provides. */
const templateProblems = (fields: Fields): Problem[] => [
  ...(isGiven(fields, 'template_vars')
    ? []
    : [missing('template_vars', 'A template requires template_vars; send {} if it has no placeholders.')]),
  ...['subject', 'html', 'text']
    .filter((name) => isGiven(fields, name))
    .map((name) => ({
      path: name,
      code: 'not_with_template',
      message: 'Not allowed with template_id, because the template provides it; omit one of them.',
    })),
]

/** Returns the problems between the fields that give a message its content. A field that is null counts as absent. */
export const contentProblems = (fields: Fields): Problem[] =>
  isGiven(fields, 'template_id') ? templateProblems(fields) : ownContentProblems(fields)
