import type { RenderedParts, Templates, TemplateVars } from '@postrider/contracts/services.ts'
import { refuseAny } from '@postrider/kit/fault.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import { textOfHtml } from '@postrider/kit/textOfHtml.ts'
import { templateRenderer } from '@postrider/mail/templateRenderer.ts'
import type { StoredTemplate } from '@postrider/ports/templates.ts'
import { checkTemplateParts } from './checkTemplateParts.ts'
import { type Deps, readTemplate } from './deps.ts'

type Rendered = Pick<StoredTemplate, 'subject' | 'htmlBody' | 'textBody' | 'variables' | 'notices'> &
  Pick<RenderedParts, 'source'>

/**
 * Renders a stored version as a send does.
 * @throws Fault `not_found`; `validation_failed`: values are missing or unusable
 */
export const previewTemplate = async (
  deps: Deps,
  { vars, ...versionKey }: Parameters<Templates['Preview']>[0],
): Promise<RenderedParts> => {
  const template = await readTemplate(deps, versionKey)
  const { id, version } = template
  return rendered(deps.slices.of(versionKey.workspace), { ...template, source: { id, version } }, vars)
}

/** Renders parts that are not stored. @throws Fault `validation_failed`: all problems of all parts, or of the values */
export const previewDraft = async (
  deps: Deps,
  request: Parameters<Templates['PreviewDraft']>[0],
): Promise<RenderedParts> => {
  const parts = { subject: request.subject, htmlBody: request.htmlBody || null, textBody: request.textBody || null }
  const slices = deps.slices.of(request.workspace)
  const { variables, notices, problems } = await slices.begin(checkTemplateParts(parts))
  refuseAny(problems)
  return rendered(slices, { source: null, ...parts, variables, notices }, request.vars)
}

/** Names a draft for the renderer, whose problems do not show it. */
const draft = { id: '', version: 0 }

const rendered = async (slices: Slices, template: Rendered, vars: TemplateVars): Promise<RenderedParts> => {
  const { source, subject, htmlBody, textBody, variables, notices = [] } = template
  // Drafts differ each time, so no parsed template is kept.
  const { renderSteps } = templateRenderer({ elapsed: () => performance.now(), cacheBytes: 0 })
  const result = await slices.begin(renderSteps({ ...(source ?? draft), subject, htmlBody, textBody }, vars))
  if (!result.ok) {
    refuseAny(result.problems)
    throw new Error('a rendering failed without a problem')
  }
  const { html } = result
  // A send generates the text part in the same way.
  const text = result.text ?? (html === null ? null : await textOfHtml(slices, html))
  return { source, subject: result.subject, htmlBody: html, textBody: text, variables, notices }
}
