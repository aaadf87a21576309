import type { Template__Output as Template } from '@postrider/contracts/gen/postrider/templates/v1/Template.ts'
import type { Templates } from '@postrider/contracts/services.ts'
import { firstThatFit, jsonBytes, pageRoom } from '@postrider/domain/listPage.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import type { StoredTemplate, TemplateStore, TemplateSummary } from '@postrider/ports/templates.ts'
import { deleteTemplate, restoreVersion, updateTemplate } from './changeTemplate.ts'
import { createTemplate } from './createTemplate.ts'
import { type Deps, readTemplate } from './deps.ts'
import { previewDraft, previewTemplate } from './previewTemplate.ts'

export type TemplatesDeps = Omit<Deps, 'slices'> & {
  /** The runner of the process for long work; absent: its own. */
  slices?: Slices
}

/** Returns the functions of templates. Each part is parsed and checked before it is stored. */
export const templatesService = (given: TemplatesDeps): Templates => {
  const deps: Deps = { ...given, slices: given.slices ?? makeSlices() }
  return {
    Create: async (request) => templateMessage(await createTemplate(deps, request)),
    Get: async (request) => templateMessage(await readTemplate(deps, request)),
    Update: async (request) => templateMessage(await updateTemplate(deps, request)),
    Delete: async (request) => {
      await deleteTemplate(deps, request)
      return {}
    },
    Restore: async (request) => templateMessage(await restoreVersion(deps, request)),
    Preview: (request) => previewTemplate(deps, request),
    PreviewDraft: (request) => previewDraft(deps, request),
    ListVersions: async ({ workspace, id: place, limit, before }) => {
      const { id } = await readTemplate(deps, { workspace, id: place, version: 0 })
      const page = await deps.templates.listVersions(workspace, id, before === 0 ? null : before, limit)
      const templates = firstThatFit(page.templates.map(summaryMessage), jsonBytes)
      return { templates, has_more: page.hasMore || templates.length < page.templates.length }
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

const summaryMessage = (template: TemplateSummary): Template => ({
  id: template.id,
  name: template.name,
  ...(template.alias !== undefined && { alias: template.alias }),
  subject: template.subject,
  variables: template.variables,
  notices: template.notices ?? [],
  version: template.version,
  created_at: isoTime(template.createdAt),
  updated_at: isoTime(template.updatedAt),
})

const templateMessage = (template: StoredTemplate): Template => ({
  ...summaryMessage(template),
  ...(template.htmlBody !== null && { html_body: template.htmlBody }),
  ...(template.textBody !== null && { text_body: template.textBody }),
})
