import type { Mail__Output as Mail } from '@postrider/contracts/gen/postrider/intake/v1/Mail.ts'
import type { Templates } from '@postrider/contracts/services.ts'
import { Fault, given, invalid } from '@postrider/kit/fault.ts'
import { plainText } from '@postrider/mail/plainText.ts'
import type { TemplateProblem } from '@postrider/mail/template.ts'
import type { templateRenderer } from '@postrider/mail/templateRenderer.ts'
import type { Content } from '@postrider/ports/emails.ts'

/** Content as it will leave: rendered at acceptance, so the caller learns of errors and nothing changes later. */
export type ResolvedContent = Content & { subject: string; templateId: string | null; templateVersion: number | null }

type Parts = Pick<ResolvedContent, 'subject' | 'html' | 'text' | 'templateId' | 'templateVersion'>

/** Where templates come from, and what makes a message of one. */
export type TemplateSource = {
  get: Templates['Get']
  render: ReturnType<typeof templateRenderer>['render']
}

/** @throws Fault `validation_failed`: unknown template, missing variables, a value that can't be printed */
export const resolveContent = async (
  templates: TemplateSource,
  workspace: string,
  mail: Mail,
): Promise<ResolvedContent> => {
  const parts = mail.template_id === undefined ? rawParts(mail) : await renderParts(templates, workspace, mail)
  return {
    ...parts,
    text: parts.text ?? (parts.html === null ? null : plainText(parts.html)),
    headers: mail.headers,
    attachments: mail.attachments.map((attachment) => ({
      filename: attachment.filename,
      contentType: attachment.content_type,
      contentId: attachment.content_id === '' ? null : attachment.content_id,
      content: attachment.content,
    })),
  }
}

const rawParts = (mail: Mail): Parts => ({
  subject: given(mail.subject, 'subject'),
  html: mail.html ?? null,
  text: mail.text ?? null,
  templateId: null,
  templateVersion: null,
})

const renderParts = async ({ get, render }: TemplateSource, workspace: string, mail: Mail): Promise<Parts> => {
  const id = given(mail.template_id, 'template_id')
  const template = await get({ workspace, id, version: 0 }).catch((thrown: unknown) => {
    if (thrown instanceof Fault && thrown.code === 'not_found') {
      const message = 'The workspace has no template with this id.'
      throw invalid({ path: 'template_id', code: 'unknown_template', message })
    }
    throw thrown
  })
  const rendered = render(template, JSON.parse(given(mail.template_vars_json, 'template_vars')))
  if (!rendered.ok) throw refusalOf(rendered.problems)
  const { subject, html, text } = rendered
  return { subject, html, text, templateId: id, templateVersion: template.version }
}

const refusalOf = ([first, ...rest]: readonly TemplateProblem[]): Fault => {
  if (first === undefined) throw new Error('a rendering failed without a problem')
  return invalid(first, ...rest)
}
