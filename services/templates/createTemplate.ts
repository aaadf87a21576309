import type { CreateRequest__Output as CreateRequest } from '@postrider/contracts/gen/postrider/templates/v1/CreateRequest.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { invalid, type Problem, refuseAny } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import { longPart, parseTemplateSteps } from '@postrider/mail/templateParse.ts'
import { nameProblem } from '@postrider/mail/text.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { StoredTemplate, TemplateStore } from '@postrider/ports/templates.ts'

export type CreateTemplateDeps = {
  templates: Pick<TemplateStore, 'insert'>
  audit: Audit
  now: Clock
  slices: Slices
  /** Most templates of a workspace. */
  mostTemplates: number
}

/**
 * Stores a template as its version 1.
 * @throws Fault `validation_failed`: all problems of all parts, or the workspace has `mostTemplates` already; `conflict`:
 * the workspace has a template of this name
 */
export const createTemplate = async (
  { templates, audit, now, slices, mostTemplates }: CreateTemplateDeps,
  request: CreateRequest,
): Promise<StoredTemplate> => {
  const { workspace, name, subject, actor } = request
  const { variables, problems } = await slices.begin(checkParts(request))
  refuseAny(problems)
  const at = now()
  const template: StoredTemplate = {
    id: newId('tpl'),
    workspace,
    name,
    subject,
    // Treat an empty part as absent.
    htmlBody: request.html_body || null,
    textBody: request.text_body || null,
    variables,
    version: 1,
    createdAt: at,
    updatedAt: at,
  }
  if (!(await templates.insert(template, mostTemplates))) throw tooMany(mostTemplates)
  await audit.record({ workspace, at, actor, action: 'template.create', target: template.id, detail: { version: 1 } })
  return template
}

const tooMany = (most: number) =>
  invalid({
    path: '',
    code: 'too_many_templates',
    message: `A workspace may have at most ${most} templates; use an existing one, or ask the operator for a higher limit.`,
  })

/** Returns the variables of all parts in order of appearance, and all problems. */
function* checkParts(request: CreateRequest): Steps<{ variables: string[]; problems: Problem[] }> {
  const problems = nameProblems(request.name)
  const variables = new Set<string>()
  if (request.subject === '') problems.push({ path: 'subject', code: 'empty', message: 'This must not be empty.' })
  if (!request.html_body && !request.text_body) {
    const message = 'At least one of html_body and text_body is required.'
    problems.push({ path: 'html_body', code: 'missing', message })
  }
  for (const part of ['subject', 'html_body', 'text_body'] as const) {
    const source = request[part] ?? ''
    const parsed = yield* parseTemplateSteps(source, part)
    if (source.length > longPart) yield
    if (!parsed.ok) problems.push(...parsed.problems)
    else for (const variable of parsed.template.variables) variables.add(variable)
  }
  return { variables: [...variables], problems }
}

const nameCharacters = 255

const nameProblems = (name: string): Problem[] => {
  if (name.trim() === '') return [{ path: 'name', code: 'empty', message: 'This must not be empty.' }]
  if (name.length > nameCharacters) {
    return [{ path: 'name', code: 'too_long', message: `A name has at most ${nameCharacters} characters.` }]
  }
  const problem = nameProblem(name)
  return problem ? [{ path: 'name', ...problem }] : []
}
