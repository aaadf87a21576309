import type { ListedTemplate, Templates } from '@postrider/contracts/services.ts'
import { firstThatFit, jsonBytes, pageRoom } from '@postrider/domain/listPage.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import type { TemplateStore, TemplateSummary } from '@postrider/ports/templates.ts'
import { deleteTemplate, restoreVersion, updateTemplate } from './changeTemplate.ts'
import { createTemplate } from './createTemplate.ts'
import { type Deps, readTemplate } from './deps.ts'
import { previewDraft, previewTemplate } from './previewTemplate.ts'

/*
 * Templates and their versions: createTemplate, changeTemplate (update, restore, delete), previewTemplate. A part is
 * parsed by checkTemplateParts before it is stored. auditEntries has the entries of changes, deps what each needs.
 */

export type TemplatesDeps = Omit<Deps, 'slices'> & {
  /** The runner of the process for long work; absent: its own. */
  slices?: Slices
}

/** Returns the functions of templates. Each part is parsed and checked before it is stored. */
export const openTemplates = (given: TemplatesDeps): Templates => {
  const deps: Deps = { ...given, slices: given.slices ?? makeSlices() }
  return {
    Create: (request) => createTemplate(deps, request),
    Get: (versionKey) => readTemplate(deps, versionKey),
    Update: (request) => updateTemplate(deps, request),
    Delete: (request) => deleteTemplate(deps, request),
    Restore: (request) => restoreVersion(deps, request),
    Preview: (request) => previewTemplate(deps, request),
    PreviewDraft: (request) => previewDraft(deps, request),
    ListVersions: async ({ workspace, id: idOrAlias, limit, before }) => {
      const { id } = await readTemplate(deps, { workspace, id: idOrAlias, version: 0 })
      const page = await deps.templates.listVersions(workspace, id, before, limit)
      return fitting(page.templates, page)
    },
    List: async ({ workspace, limit, before, withBodies }) => {
      const page = await deps.templates.list(workspace, before, limit)
      return fitting(withBodies ? await readBodies(deps.templates, workspace, page.templates) : page.templates, page)
    },
  }
}

/** Returns the first templates of a page that fit into a reply. */
const fitting = (listed: readonly ListedTemplate[], page: { templates: readonly unknown[]; hasMore: boolean }) => {
  const templates = firstThatFit(listed, jsonBytes)
  return { templates, hasMore: page.hasMore || templates.length < page.templates.length }
}

/** Returns the first templates with their bodies that fit into a page, and one more. */
const readBodies = async (
  templates: Pick<TemplateStore, 'get'>,
  workspace: string,
  summaries: readonly TemplateSummary[],
): Promise<ListedTemplate[]> => {
  const room = pageRoom<ListedTemplate>()
  for (const { id, version } of summaries) {
    const template = await templates.get(workspace, id, version)
    if (template && !room.add(template, jsonBytes(template))) return [...room.page().items, template]
  }
  return room.page().items
}
