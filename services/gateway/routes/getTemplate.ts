import { Id } from '@postrider/contracts/http/lists.ts'
import { TemplateRecord } from '@postrider/contracts/http/template.ts'
import type { Templates } from '@postrider/contracts/services.ts'
import { route } from '../route.ts'
import { templateRecord } from '../templateRecord.ts'

/** The proto's way to ask for the newest version. */
const newest = 0

export const getTemplate = route({
  name: 'getTemplate',
  method: 'GET',
  path: '/api/v1/templates/:id',
  scope: ['templates:read', 'templates:write'],
  tag: 'Templates',
  summary: 'Read one template',
  limit: 'read',
  params: Id,
  reply: { status: 200, body: TemplateRecord, description: 'The template in its newest version.' },
  handle: async ({ params: { id }, caller }, { templates }: { templates: Pick<Templates, 'Get'> }) => ({
    json: templateRecord(await templates.Get({ workspace: caller.workspace, id, version: newest })),
  }),
})
