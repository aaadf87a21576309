import type { Template__Output as Template } from '@postrider/contracts/gen/postrider/templates/v1/Template.ts'
import type { Templates } from '@postrider/contracts/services.ts'
import { isoTime } from '@postrider/domain/time.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { isId } from '@postrider/kit/ids.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { StoredTemplate, TemplateStore } from '@postrider/ports/templates.ts'
import { createTemplate } from './createTemplate.ts'

export type TemplatesDeps = { templates: TemplateStore; audit: Audit; now: Clock }

/** Returns the functions of templates. Each part is parsed and checked before it is stored. */
export const templatesService = ({ templates, audit, now }: TemplatesDeps): Templates => ({
  Create: async (request) => templateMessage(await createTemplate({ templates, audit, now }, request)),
  Get: async ({ workspace, id, version }) => {
    const found = isId('tpl', id) ? await templates.get(workspace, id, version) : null
    if (!found) throw new Fault('not_found', 'The workspace has no template with this id and version.')
    return templateMessage(found)
  },
  List: async ({ workspace, limit, before }) => {
    const page = await templates.list(workspace, before === '' ? null : before, limit)
    return { templates: page.templates.map(templateMessage), has_more: page.hasMore }
  },
})

const templateMessage = ({ id, name, subject, htmlBody, textBody, ...rest }: StoredTemplate): Template => ({
  id,
  name,
  subject,
  ...(htmlBody !== null && { html_body: htmlBody }),
  ...(textBody !== null && { text_body: textBody }),
  variables: rest.variables,
  version: rest.version,
  created_at: isoTime(rest.createdAt),
  updated_at: isoTime(rest.updatedAt),
})
