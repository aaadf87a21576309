import type { CheckRequest, MailRequest, Templates } from '@postrider/contracts/services.ts'
import type { Content } from '@postrider/domain/email/email.ts'
import { newestVersion } from '@postrider/domain/templates/template.ts'
import { hasCode, type Problem, requirePart } from '@postrider/kit/fault.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import { textOfHtml } from '@postrider/kit/textOfHtml.ts'
import type { templateRenderer } from '@postrider/mail/templateRenderer.ts'

/** Content as it is sent. It is rendered at acceptance, so the caller sees errors and later changes have no effect. */
export type ResolvedContent = Content & { subject: string; templateId: string | null; templateVersion: number | null }

type Parts = Pick<ResolvedContent, 'subject' | 'html' | 'text' | 'templateId' | 'templateVersion'>

export type TemplateSource = {
  get: Templates['Get']
  renderSteps: ReturnType<typeof templateRenderer>['renderSteps']
}

type Resolved<Value> = { ok: true; value: Value } | { ok: false; problems: readonly Problem[] }

/** Returns the content, or its problems: an unknown template, missing variables, values that cannot be printed. */
export const resolveContent = async (
  { templates, slices: shared }: { templates: TemplateSource; slices: Slices },
  workspace: string,
  mail: MailRequest,
): Promise<Resolved<ResolvedContent>> => {
  const slices = shared.of(workspace)
  const parts = mail.template ? await templateParts(templates, workspace, mail.template, slices) : rawParts(mail)
  if (!parts.ok) return parts
  const { html, text } = parts.value
  const content = {
    ...parts.value,
    text: text ?? (html === null ? null : await textOfHtml(slices, html)),
    headers: mail.headers,
    attachments: mail.attachments,
  }
  return { ok: true, value: content }
}

/** Returns the problems of a template and its values; absent values are not reported. */
export const templateProblems = async (
  { templates, slices }: { templates: TemplateSource; slices: Slices },
  workspace: string,
  template: CheckRequest['template'],
): Promise<readonly Problem[]> => {
  if (template === null) return []
  const { vars } = template
  if (vars !== null) {
    const parts = await templateParts(templates, workspace, { ...template, vars }, slices)
    return parts.ok ? [] : parts.problems
  }
  const found = await findTemplate(templates, workspace, template)
  return 'problem' in found ? [found.problem] : []
}

const rawParts = ({ subject, html, text }: MailRequest): Resolved<Parts> => ({
  ok: true,
  value: { subject: requirePart(subject, 'subject'), html, text, templateId: null, templateVersion: null },
})

const templateParts = async (
  templates: TemplateSource,
  workspace: string,
  wanted: NonNullable<MailRequest['template']>,
  slices: Slices,
): Promise<Resolved<Parts>> => {
  const found = await findTemplate(templates, workspace, wanted)
  if ('problem' in found) return { ok: false, problems: [found.problem] }
  const { id, version } = found
  const rendered = await slices.begin(templates.renderSteps(found, wanted.vars))
  if (!rendered.ok) return rendered
  const { subject, html, text } = rendered
  return { ok: true, value: { subject, html, text, templateId: id, templateVersion: version } }
}

const unknownTemplate: Problem = {
  path: 'template_id',
  code: 'unknown_template',
  message: 'The workspace has no template with this id or alias.',
}

const unknownVersion: Problem = {
  path: 'template_version',
  code: 'unknown_template_version',
  message: 'The template has no version with this number; GET /templates/{id}/versions lists them.',
}

type Wanted = { id: string; version?: number }

/**
 * Returns the wanted version, by the id or the alias of its template. Only a version that is missing costs a second
 * call.
 */
const findTemplate = async (source: TemplateSource, workspace: string, { id, version = newestVersion }: Wanted) => {
  const found = await read(source, workspace, id, version)
  if (found !== null) return found
  if (version === newestVersion) return { problem: unknownTemplate }
  const isThere = (await read(source, workspace, id, newestVersion)) !== null
  return { problem: isThere ? unknownVersion : unknownTemplate }
}

const read = ({ get }: TemplateSource, workspace: string, id: string, version: number) =>
  get({ workspace, id, version }).catch((thrown: unknown) => {
    if (hasCode(thrown, 'not_found')) return null
    throw thrown
  })
