import type { CreateRequest__Output as CreateRequest } from '@postrider/contracts/gen/postrider/templates/v1/CreateRequest.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { refuseAny } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { StoredTemplate, TemplateStore } from '@postrider/ports/templates.ts'
import { checkParts } from './checkParts.ts'

/**
 * Keeps a template as its version 1.
 * @throws Fault `validation_failed`: every problem of every part; `conflict`: the workspace has one of this name
 */
export const createTemplate = async (
  { templates, audit, now }: { templates: TemplateStore; audit: Audit; now: Clock },
  request: CreateRequest,
): Promise<StoredTemplate> => {
  const { workspace, name, subject, actor } = request
  const { variables, problems } = checkParts(request)
  refuseAny(problems)
  const at = now()
  const template: StoredTemplate = {
    id: newId('tpl'),
    workspace,
    name,
    subject,
    // An empty part is one that isn't there: an email with an empty body is nobody's wish.
    htmlBody: request.html_body || null,
    textBody: request.text_body || null,
    variables,
    version: 1,
    createdAt: at,
    updatedAt: at,
  }
  await templates.insert(template)
  await audit.record({ workspace, at, actor, action: 'template.create', target: template.id, detail: { version: 1 } })
  return template
}
