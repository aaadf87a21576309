import { Page } from '@postrider/contracts/http/schema.ts'
import { CreateTemplate, TemplateId, TemplateList, TemplateRecord } from '@postrider/contracts/http/template.ts'
import { maxPageBytes } from '@postrider/domain/listPage.ts'
import { missingBodyProblems } from '@postrider/domain/templates/parts.ts'
import { newestVersion } from '@postrider/domain/templates/template.ts'
import type { Problem } from '@postrider/kit/fault.ts'
import { changeBy } from '../callers/changeBy.ts'
import { refusedTemplate } from '../checks/refusedBodies.ts'
import { listPage } from '../lists.ts'
import { templateRecord, templateSummary } from '../records/templateRecords.ts'
import { present, route } from '../route.ts'

export const path = '/api/v1/templates'

export const templateRules = (raw: Record<string, unknown>): Problem[] =>
  missingBodyProblems(raw['html_body'], raw['text_body'])

export const createTemplate = route({
  name: 'createTemplate',
  method: 'POST',
  path,
  scope: 'templates:write',
  tag: 'Templates',
  summary: 'Create a template',
  description:
    '`{{name}}` is filled from `template_vars` and HTML-escaped in `html_body`; `{{{name}}}` is not escaped. `{{#if}}`, `{{#unless}}`, `{{#each}}`, `{{else}}` and `{{this}}` work as in Handlebars. Anything else is refused, with line and column.',
  limit: 'write',
  body: CreateTemplate,
  rules: templateRules,
  serviceProblems: refusedTemplate,
  reply: {
    status: 201,
    body: TemplateRecord,
    description: 'The template; a send names it by its `id` or `alias`. `notices` has advice on its content.',
  },
  replyHeaders: { Location: 'Path of the template’s record.' },
  errors: ['conflict'],
  handle: async ({ body, ...identity }, { templates }) => {
    const { name, subject, html_body, text_body, alias } = body
    const bodies = { htmlBody: html_body ?? null, textBody: text_body ?? null }
    const template = await templates.Create({ ...changeBy(identity), name, subject, ...bodies, ...present({ alias }) })
    return { json: templateRecord(template), headers: { Location: `${path}/${template.id}` } }
  },
})

export const listTemplates = route({
  name: 'listTemplates',
  method: 'GET',
  path,
  scope: ['templates:read', 'templates:write'],
  tag: 'Templates',
  summary: 'List the workspace’s templates',
  description:
    'Newest first, without `html_body` and `text_body`: read one template for its bodies. A page has at most 4 MiB, so it may have fewer records than `limit` while `has_more` is true.',
  limit: 'read',
  query: Page,
  responseBytes: maxPageBytes,
  reply: { status: 200, body: TemplateList, description: 'A page of templates, newest first.' },
  handle: async ({ query, caller: { workspace } }, { templates, cursors }) => {
    const { limit, before, body } = listPage(cursors, path, workspace, query)
    const found = await templates.List({ workspace, limit, before: before || null })
    return { json: body(found.templates.map(templateSummary), found.hasMore) }
  },
})

/** Three parts of 512 KiB as JSON. */
export const templateBytes = 2 * 2 ** 20

export const getTemplate = route({
  name: 'getTemplate',
  method: 'GET',
  path: '/api/v1/templates/:id',
  scope: ['templates:read', 'templates:write'],
  tag: 'Templates',
  summary: 'Read one template',
  limit: 'read',
  responseBytes: templateBytes,
  params: TemplateId,
  reply: { status: 200, body: TemplateRecord, description: 'The newest version of the template.' },
  handle: async ({ params: { id }, caller }, { templates }) => ({
    json: templateRecord(await templates.Get({ workspace: caller.workspace, id, version: newestVersion })),
  }),
})
