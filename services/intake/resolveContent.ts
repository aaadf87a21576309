import type { CheckRequest, MailRequest, Templates } from '@postrider/contracts/services.ts'
import type { Content } from '@postrider/domain/email/email.ts'
import { Fault, given, type Problem } from '@postrider/kit/fault.ts'
import { plainText } from '@postrider/mail/plainText.ts'
import type { templateRenderer } from '@postrider/mail/templateRenderer.ts'

/** Content as it is sent. It is rendered at acceptance, so the caller sees errors and later changes have no effect. */
export type ResolvedContent = Content & { subject: string; templateId: string | null; templateVersion: number | null }

type Parts = Pick<ResolvedContent, 'subject' | 'html' | 'text' | 'templateId' | 'templateVersion'>

export type TemplateSource = {
  get: Templates['Get']
  render: ReturnType<typeof templateRenderer>['render']
}

type Resolved<Value> = { ok: true; value: Value } | { ok: false; problems: readonly Problem[] }

/** Returns the content, or its problems: an unknown template, missing variables, values that cannot be printed. */
export const resolveContent = async (
  templates: TemplateSource,
  workspace: string,
  mail: MailRequest,
): Promise<Resolved<ResolvedContent>> => {
  const parts = mail.template ? await templateParts(templates, workspace, mail.template) : rawParts(mail)
  if (!parts.ok) return parts
  const { html, text } = parts.value
  const content = {
    ...parts.value,
    text: text ?? (html === null ? null : plainText(html)),
    headers: mail.headers,
    attachments: mail.attachments,
  }
  return { ok: true, value: content }
}

/** Returns the problems of a template and its values; absent values are not reported. */
export const templateProblems = async (
  templates: TemplateSource,
  workspace: string,
  template: CheckRequest['template'],
): Promise<readonly Problem[]> => {
  if (template === null) return []
  const { id, vars } = template
  if (vars === null) return (await findTemplate(templates, workspace, id)) ? [] : [unknownTemplate]
  const parts = await templateParts(templates, workspace, { id, vars })
  return parts.ok ? [] : parts.problems
}

const rawParts = ({ subject, html, text }: MailRequest): Resolved<Parts> => ({
  ok: true,
  value: { subject: given(subject, 'subject'), html, text, templateId: null, templateVersion: null },
})

const templateParts = async (
  templates: TemplateSource,
  workspace: string,
  { id, vars }: NonNullable<MailRequest['template']>,
): Promise<Resolved<Parts>> => {
  const template = await findTemplate(templates, workspace, id)
  if (template === null) return { ok: false, problems: [unknownTemplate] }
  const rendered = templates.render(template, vars)
  if (!rendered.ok) return rendered
  const { subject, html, text } = rendered
  return { ok: true, value: { subject, html, text, templateId: id, templateVersion: template.version } }
}

const unknownTemplate: Problem = {
  path: 'template_id',
  code: 'unknown_template',
  message: 'The workspace has no template with this id.',
}

const findTemplate = ({ get }: TemplateSource, workspace: string, id: string) =>
  get({ workspace, id, version: 0 }).catch((thrown: unknown) => {
    if (thrown instanceof Fault && thrown.code === 'not_found') return null
    throw thrown
  })
