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

/** A workspace's templates. What is kept was checked as a syntax tree first, so rendering meets no surprises. */
export const templatesService = ({ templates, audit, now }: TemplatesDeps): Templates => ({
  Create: async (request) => replyOf(await createTemplate({ templates, audit, now }, request)),
  Get: async ({ workspace, id, version }) => {
    const found = isId('tpl', id) ? await templates.get(workspace, id, version) : null
    if (!found) throw new Fault('not_found', 'There is no such template in this workspace.')
    return replyOf(found)
  },
  List: async ({ workspace, limit, before }) => {
    const page = await templates.list(workspace, before === '' ? null : before, limit)
    return { templates: page.templates.map(replyOf), has_more: page.hasMore }
  },
})

const replyOf = ({ id, name, subject, htmlBody, textBody, ...rest }: StoredTemplate): Template => ({
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
