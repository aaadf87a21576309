import type { CreateRequest__Output as CreateRequest } from '@postrider/contracts/gen/postrider/templates/v1/CreateRequest.ts'
import type { Problem } from '@postrider/kit/fault.ts'
import { parseTemplate } from '@postrider/mail/templateParse.ts'
import { nameProblem } from '@postrider/mail/text.ts'

const nameCharacters = 255

/** What a template asks for, in order of appearance, and everything that is wrong with it. */
export const checkParts = (request: CreateRequest): { variables: string[]; problems: Problem[] } => {
  const problems = nameProblems(request.name)
  const variables = new Set<string>()
  if (request.subject === '') problems.push({ path: 'subject', code: 'empty', message: 'This must not be empty.' })
  if (!request.html_body && !request.text_body) {
    const message = 'At least one of html_body and text_body is required.'
    problems.push({ path: 'html_body', code: 'missing', message })
  }
  for (const part of ['subject', 'html_body', 'text_body'] as const) {
    const parsed = parseTemplate(request[part] ?? '', part)
    if (!parsed.ok) problems.push(...parsed.problems)
    else for (const variable of parsed.template.variables) variables.add(variable)
  }
  return { variables: [...variables], problems }
}

const nameProblems = (name: string): Problem[] => {
  if (name.trim() === '') return [{ path: 'name', code: 'empty', message: 'This must not be empty.' }]
  if (name.length > nameCharacters) {
    return [{ path: 'name', code: 'too_long', message: `This has at most ${nameCharacters} characters.` }]
  }
  const problem = nameProblem(name)
  return problem ? [{ path: 'name', ...problem }] : []
}
