import { mostEntries, mostRecipients, tooManyRecipients } from '@postrider/contracts/http/recipients.ts'
import type { Problem } from '@postrider/kit/fault.ts'
import { addressKey, parseMailbox } from '@postrider/mail/address.ts'

const isGiven = (raw: Record<string, unknown>, name: string): boolean => raw[name] !== undefined && raw[name] !== null

const missing = (path: string, message: string): Problem => ({ path, code: 'missing', message })

/** Raw mode requires a subject and at least one body. */
const rawModeProblems = (raw: Record<string, unknown>): Problem[] => [
  ...(isGiven(raw, 'subject') ? [] : [missing('subject', 'A subject or a template_id is required.')]),
  ...(isGiven(raw, 'html') || isGiven(raw, 'text')
    ? []
    : [missing('html', 'At least one of html and text, or a template_id, is required.')]),
  ...(isGiven(raw, 'template_vars')
    ? [missing('template_id', 'template_vars requires the template_id of its template.')]
    : []),
]

/** Template mode requires the values and excludes the fields that the template provides. */
const templateModeProblems = (raw: Record<string, unknown>): Problem[] => [
  ...(isGiven(raw, 'template_vars')
    ? []
    : [missing('template_vars', 'A template requires template_vars; send {} if it has no placeholders.')]),
  ...['subject', 'html', 'text']
    .filter((name) => isGiven(raw, name))
    .map((name) => ({
      path: name,
      code: 'not_with_template',
      message: 'Not allowed with template_id: the template provides it.',
    })),
]

const entriesOf = (list: unknown): string[] => {
  const entries = typeof list === 'string' ? [list] : Array.isArray(list) ? list : []
  return entries.length > mostEntries ? [] : entries.filter((entry) => typeof entry === 'string')
}

const keyOf = (entry: string): string => {
  const parsed = parseMailbox(entry)
  return parsed.ok ? addressKey(parsed.mailbox.address) : entry
}

/** Counts different addresses in to, cc and bcc. The schema already refused a list that is too long to read. */
const recipientProblems = (raw: Record<string, unknown>): Problem[] => {
  const entries = [raw['to'], raw['cc'], raw['bcc']].flatMap(entriesOf)
  if (entries.length <= mostRecipients || new Set(entries.map(keyOf)).size <= mostRecipients) return []
  return [{ path: 'to', ...tooManyRecipients }]
}

/** Returns the problems between several fields of a send. */
export const sendRules = (raw: Record<string, unknown>): Problem[] => [
  ...(isGiven(raw, 'template_id') ? templateModeProblems(raw) : rawModeProblems(raw)),
  ...recipientProblems(raw),
]
