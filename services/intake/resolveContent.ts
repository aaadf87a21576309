import type { CheckRequest, MailRequest, Templates } from '@postrider/contracts/services.ts'
import type { Content } from '@postrider/domain/email/email.ts'
import { Fault, given, type Problem } from '@postrider/kit/fault.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import { plainTextSteps } from '@postrider/mail/plainText.ts'
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
  { templates, slices }: { templates: TemplateSource; slices: Slices },
  workspace: string,
  mail: MailRequest,
): Promise<Resolved<ResolvedContent>> => {
  const parts = mail.template ? await templateParts(templates, workspace, mail.template, slices) : rawParts(mail)
  if (!parts.ok) return parts
  const { html, text } = parts.value
  const content = {
    ...parts.value,
    text: text ?? (html === null ? null : await textOf(slices, html)),
    headers: mail.headers,
    attachments: mail.attachments,
  }
  return { ok: true, value: content }
}

/** Characters of HTML from which on it is converted in slices. */
const longHtml = 16_384

/** Returns the text part for HTML; null: the HTML has no text, and an empty part would hide it from readers of text. */
const textOf = async (slices: Slices, html: string): Promise<string | null> =>
  (await slices.run(plainTextSteps(html), html.length > longHtml)) || null

/** Returns the problems of a template and its values; absent values are not reported. */
export const templateProblems = async (
  { templates, slices }: { templates: TemplateSource; slices: Slices },
  workspace: string,
  template: CheckRequest['template'],
): Promise<readonly Problem[]> => {
  if (template === null) return []
  const { id, vars } = template
  if (vars === null) return (await findTemplate(templates, workspace, id)) ? [] : [unknownTemplate]
  const parts = await templateParts(templates, workspace, { id, vars }, slices)
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
  slices: Slices,
): Promise<Resolved<Parts>> => {
  const template = await findTemplate(templates, workspace, id)
  if (template === null) return { ok: false, problems: [unknownTemplate] }
  const rendered = await slices.begin(templates.renderSteps(template, vars))
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
