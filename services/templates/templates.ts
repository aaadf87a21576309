import type { Template__Output as Template } from '@postrider/contracts/gen/postrider/templates/v1/Template.ts'
import type { Templates } from '@postrider/contracts/services.ts'
import { firstThatFit, jsonBytes, pageRoom } from '@postrider/domain/listPage.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { isId } from '@postrider/kit/ids.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import type { StoredTemplate, TemplateStore, TemplateSummary } from '@postrider/ports/templates.ts'
import { type CreateTemplateDeps, createTemplate } from './createTemplate.ts'

export type TemplatesDeps = Omit<CreateTemplateDeps, 'templates' | 'slices'> & {
  templates: TemplateStore
  /** The runner of the process for long work; absent: its own. */
  slices?: Slices
}

/** Returns the functions of templates. Each part is parsed and checked before it is stored. */
export const templatesService = (given: TemplatesDeps): Templates => {
  const deps = { ...given, slices: given.slices ?? makeSlices() }
  return {
    Create: async (request) => templateMessage(await createTemplate(deps, request)),
    Get: async ({ workspace, id, version }) => {
      const found = isId('tpl', id) ? await deps.templates.get(workspace, id, version) : null
      if (!found) throw new Fault('not_found', 'The workspace has no template with this id and version.')
      return templateMessage(found)
    },
    List: async ({ workspace, limit, before, without_bodies }) => {
      const page = await deps.templates.list(workspace, before === '' ? null : before, limit)
      const listed = without_bodies
        ? page.templates.map(summaryMessage)
        : await withBodies(deps.templates, workspace, page.templates)
      const templates = firstThatFit(listed, jsonBytes)
      return { templates, has_more: page.hasMore || templates.length < page.templates.length }
    },
  }
}

/** Returns the first templates with their bodies that fit into a page, and one more. */
const withBodies = async (
  templates: Pick<TemplateStore, 'get'>,
  workspace: string,
  summaries: readonly TemplateSummary[],
): Promise<Template[]> => {
  const found: Template[] = []
  const fits = pageRoom()
  for (const { id, version } of summaries) {
    const template = await templates.get(workspace, id, version)
    if (!template) continue
    const message = templateMessage(template)
    found.push(message)
    if (!fits(jsonBytes(message))) return found
  }
  return found
}

const summaryMessage = ({
  id,
  name,
  subject,
  variables,
  version,
  createdAt,
  updatedAt,
}: TemplateSummary): Template => ({
  id,
  name,
  subject,
  variables,
  version,
  created_at: isoTime(createdAt),
  updated_at: isoTime(updatedAt),
})

const templateMessage = (template: StoredTemplate): Template => ({
  ...summaryMessage(template),
  ...(template.htmlBody !== null && { html_body: template.htmlBody }),
  ...(template.textBody !== null && { text_body: template.textBody }),
})
