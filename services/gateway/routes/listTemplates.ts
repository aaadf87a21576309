import { Page } from '@postrider/contracts/http/lists.ts'
import { TemplateList } from '@postrider/contracts/http/template.ts'
import type { Templates } from '@postrider/contracts/services.ts'
import type { Cursors } from '../cursors.ts'
import { listBody, listPage } from '../listPage.ts'
import { route } from '../route.ts'
import { templateRecord } from '../templateRecord.ts'

const path = '/api/v1/templates'

export const listTemplates = route({
  name: 'listTemplates',
  method: 'GET',
  path,
  scope: ['templates:read', 'templates:write'],
  tag: 'Templates',
  summary: 'List the workspace’s templates',
  limit: 'read',
  query: Page,
  reply: { status: 200, body: TemplateList, description: 'A page of templates, newest first.' },
  handle: async (
    { query, caller: { workspace } },
    { templates, cursors }: { templates: Pick<Templates, 'List'>; cursors: Cursors },
  ) => {
    const { limit, before, nextCursor } = listPage(cursors, path, workspace, query)
    const { templates: found, has_more } = await templates.List({ workspace, limit, before })
    return { json: listBody(found.map(templateRecord), has_more, nextCursor(has_more, found.at(-1)?.id)) }
  },
})
