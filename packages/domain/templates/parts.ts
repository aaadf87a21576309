import { emptyText, tooLong } from '@postrider/mail/problemTexts.ts'
import { nameProblem } from '@postrider/mail/text.ts'
import type { Problem } from '../problem.ts'
import { aliasProblem } from './alias.ts'

const nameCharacters = 255

/** Returns the problem of a template without a body. @param bodies its HTML and its text; null or undefined: absent */
export const missingBodyProblems = (...bodies: readonly unknown[]): Problem[] => {
  if (bodies.some((body) => body !== null && body !== undefined)) return []
  return [{ path: 'html_body', code: 'missing', message: 'At least one of html_body and text_body is required.' }]
}

/** Returns what is wrong with the parts of a template before they are parsed. */
export const partProblems = ({
  subject,
  htmlBody,
  textBody,
}: {
  subject: string
  htmlBody: string | null
  textBody: string | null
}): Problem[] => [
  ...(subject === '' ? [{ path: 'subject', ...emptyText }] : []),
  ...missingBodyProblems(htmlBody, textBody),
]

/** Returns what is wrong with the name and the alias of a template. */
export const namingProblems = ({ name, alias }: { name: string; alias?: string | undefined }): Problem[] => [
  ...nameProblems(name),
  ...aliasProblems(alias),
]

const nameProblems = (name: string): Problem[] => {
  if (name.trim() === '') return [{ path: 'name', ...emptyText }]
  if ([...name].length > nameCharacters) return [{ path: 'name', ...tooLong(nameCharacters) }]
  const problem = nameProblem(name)
  return problem ? [{ path: 'name', ...problem }] : []
}

const aliasProblems = (alias: string | undefined): Problem[] => {
  const problem = alias === undefined ? null : aliasProblem(alias)
  return problem ? [{ path: 'alias', ...problem }] : []
}
