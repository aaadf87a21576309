import type { PreviewDraftRequest__Output as PreviewDraftRequest } from '@postrider/contracts/gen/postrider/templates/v1/PreviewDraftRequest.ts'
import type { PreviewReply__Output as PreviewReply } from '@postrider/contracts/gen/postrider/templates/v1/PreviewReply.ts'
import type { PreviewRequest__Output as PreviewRequest } from '@postrider/contracts/gen/postrider/templates/v1/PreviewRequest.ts'
import { refuseAny } from '@postrider/kit/fault.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import { plainTextSteps } from '@postrider/mail/plainText.ts'
import { templateRenderer } from '@postrider/mail/templateRenderer.ts'
import type { StoredTemplate } from '@postrider/ports/templates.ts'
import { checkParts } from './checkParts.ts'
import { type Deps, readTemplate } from './deps.ts'

/** Characters of HTML from which on it is converted in slices. */
const longHtml = 16_384

type Rendered = Pick<StoredTemplate, 'id' | 'version' | 'subject' | 'htmlBody' | 'textBody' | 'variables' | 'notices'>

/** Renders a stored version as a send does. @throws Fault `not_found`; `validation_failed`: values are missing or unusable */
export const previewTemplate = async (deps: Deps, request: PreviewRequest): Promise<PreviewReply> =>
  rendered(deps.slices.of(request.workspace), await readTemplate(deps, request), request.template_vars_json)

/** Renders parts that are not stored. @throws Fault `validation_failed`: all problems of all parts, or of the values */
export const previewDraft = async (deps: Deps, request: PreviewDraftRequest): Promise<PreviewReply> => {
  const parts = {
    subject: request.subject,
    htmlBody: request.html_body || null,
    textBody: request.text_body || null,
  }
  const slices = deps.slices.of(request.workspace)
  const { variables, notices, problems } = await slices.begin(checkParts(parts))
  refuseAny(problems)
  return rendered(slices, { id: '', version: 0, ...parts, variables, notices }, request.template_vars_json)
}

const rendered = async (slices: Slices, template: Rendered, varsJson: string): Promise<PreviewReply> => {
  const { id, version, subject, htmlBody, textBody, variables, notices = [] } = template
  const source = {
    id,
    version,
    subject,
    ...(htmlBody !== null && { html_body: htmlBody }),
    ...(textBody !== null && { text_body: textBody }),
  }
  // Drafts differ each time, so no parsed template is kept.
  const { renderSteps } = templateRenderer({ now: () => performance.now(), cacheBytes: 0 })
  const result = await slices.begin(renderSteps(source, JSON.parse(varsJson)))
  if (!result.ok) {
    refuseAny(result.problems)
    throw new Error('a rendering failed without a problem')
  }
  const { html } = result
  // A send generates the text part in the same way.
  const text =
    result.text ?? (html === null ? null : (await slices.run(plainTextSteps(html), html.length > longHtml)) || null)
  return {
    id,
    version,
    subject: result.subject,
    ...(html !== null && { html_body: html }),
    ...(text !== null && { text_body: text }),
    variables,
    notices,
  }
}
