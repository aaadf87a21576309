import type { Mail__Output as Mail } from '@postrider/contracts/gen/postrider/intake/v1/Mail.ts'
import type { Templates } from '@postrider/contracts/services.ts'
import type { Content } from '@postrider/domain/email/email.ts'
import { Fault, given, type Problem } from '@postrider/kit/fault.ts'
import { plainText } from '@postrider/mail/plainText.ts'
import type { templateRenderer } from '@postrider/mail/templateRenderer.ts'

/** Content as it will leave: rendered at acceptance, so the caller learns of errors and nothing changes later. */
export type ResolvedContent = Content & { subject: string; templateId: string | null; templateVersion: number | null }

type Parts = Pick<ResolvedContent, 'subject' | 'html' | 'text' | 'templateId' | 'templateVersion'>

/** Where templates come from, and what makes a message of one. */
export type TemplateSource = {
  get: Templates['Get']
  render: ReturnType<typeof templateRenderer>['render']
}

type Resolved<Value> = { ok: true; value: Value } | { ok: false; problems: readonly Problem[] }

/** The content, or what is wrong: an unknown template, missing variables, values that can't be printed. */
export const resolveContent = async (
  templates: TemplateSource,
  workspace: string,
  mail: Mail,
): Promise<Resolved<ResolvedContent>> => {
  const parts = mail.template_id === undefined ? rawParts(mail) : await renderParts(templates, workspace, mail)
  return parts.ok ? { ok: true, value: contentOf(parts.value, mail) } : parts
}

const contentOf = (parts: Parts, mail: Mail): ResolvedContent => ({
  ...parts,
  text: parts.text ?? (parts.html === null ? null : plainText(parts.html)),
  headers: mail.headers,
  attachments: mail.attachments.map((attachment) => ({
    filename: attachment.filename,
    contentType: attachment.content_type,
    contentId: attachment.content_id === '' ? null : attachment.content_id,
    content: attachment.content,
  })),
})

const rawParts = (mail: Mail): Resolved<Parts> => ({
  ok: true,
  value: {
    subject: given(mail.subject, 'subject'),
    html: mail.html ?? null,
    text: mail.text ?? null,
    templateId: null,
    templateVersion: null,
  },
})

const unknownTemplate: Problem = {
  path: 'template_id',
  code: 'unknown_template',
  message: 'The workspace has no template with this id.',
}

/** What a template and its values have wrong; values that aren't there say nothing. */
export const templateProblems = async (
  { get, render }: TemplateSource,
  workspace: string,
  { template_id, template_vars_json }: Pick<Mail, 'template_id' | 'template_vars_json'>,
): Promise<readonly Problem[]> => {
  if (template_id === undefined) return []
  const template = await found(get, workspace, template_id)
  if (template === null) return [unknownTemplate]
  if (template_vars_json === undefined) return []
  const rendered = render(template, JSON.parse(template_vars_json))
  return rendered.ok ? [] : rendered.problems
}

const found = (get: TemplateSource['get'], workspace: string, id: string) =>
  get({ workspace, id, version: 0 }).catch((thrown: unknown) => {
    if (thrown instanceof Fault && thrown.code === 'not_found') return null
    throw thrown
  })

const renderParts = async (
  { get, render }: TemplateSource,
  workspace: string,
  mail: Mail,
): Promise<Resolved<Parts>> => {
  const id = given(mail.template_id, 'template_id')
  const template = await found(get, workspace, id)
  if (template === null) return { ok: false, problems: [unknownTemplate] }
  const rendered = render(template, JSON.parse(given(mail.template_vars_json, 'template_vars')))
  if (!rendered.ok) return rendered
  const { subject, html, text } = rendered
  return { ok: true, value: { subject, html, text, templateId: id, templateVersion: template.version } }
}
