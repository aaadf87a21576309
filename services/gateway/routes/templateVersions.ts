import { Page } from '@postrider/contracts/http/schema.ts'
import {
  PreviewDraft,
  PreviewTemplate,
  RestoreTemplate,
  TemplateId,
  TemplateList,
  TemplatePreview,
  TemplateRecord,
  UpdateTemplate,
  VersionParams,
} from '@postrider/contracts/http/template.ts'
import { firstThatFit, jsonBytes, maxPageBytes } from '@postrider/domain/listPage.ts'
import { newestVersion } from '@postrider/domain/templates/template.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { changeBy } from '../callers/changeBy.ts'
import { refusedTemplate } from '../checks/refusedBodies.ts'
import { listPage } from '../lists.ts'
import { templatePreview, templateRecord, templateSummary } from '../records/templateRecords.ts'
import { present, route } from '../route.ts'
import { path, templateBytes, templateRules } from './templates.ts'

/** A preview may have 2 MiB of rendered parts, and a text part that is generated from them. */
const previewBytes = 4 * 2 ** 20

const readScopes = ['templates:read', 'templates:write'] as const

/** Returns the number of a version in a path. @throws Fault `not_found`: it is none */
const versionOf = (text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new Fault('not_found', 'The template has no version with this number; versions count from 1.')
}

export const updateTemplate = route({
  name: 'updateTemplate',
  method: 'PATCH',
  path: '/api/v1/templates/:id',
  scope: 'templates:write',
  tag: 'Templates',
  summary: 'Change a template',
  description:
    'Creates the next version; earlier versions stay, and accepted mail is not affected. A request that changes nothing creates no version.',
  limit: 'write',
  params: TemplateId,
  body: UpdateTemplate,
  serviceProblems: refusedTemplate,
  reply: { status: 200, body: TemplateRecord, description: 'The newest version of the template.' },
  errors: ['conflict'],
  handle: async ({ params: { id }, body, ...identity }, { templates }) => {
    const { name, subject, html_body, text_body, alias } = body
    const changes = present({ name, subject, htmlBody: html_body, textBody: text_body, alias })
    return { json: templateRecord(await templates.Update({ ...changeBy(identity), id, ...changes })) }
  },
})

export const deleteTemplate = route({
  name: 'deleteTemplate',
  method: 'DELETE',
  path: '/api/v1/templates/:id',
  scope: 'templates:write',
  tag: 'Templates',
  summary: 'Delete a template',
  description:
    'Removes all versions; the name and the alias are free then. Accepted mail has its content already, scheduled mail included.',
  limit: 'write',
  params: TemplateId,
  reply: { status: 204, description: 'The template is deleted.' },
  handle: async ({ params: { id }, ...identity }, { templates }) => {
    await templates.Delete({ ...changeBy(identity), id })
    return { empty: true }
  },
})

export const listTemplateVersions = route({
  name: 'listTemplateVersions',
  method: 'GET',
  path: '/api/v1/templates/:id/versions',
  scope: readScopes,
  tag: 'Templates',
  summary: 'List the versions of a template',
  description:
    'Newest first, without `html_body` and `text_body`: read one version for its bodies. Versions never change. `updated_at` is when the version was created. A page has at most 4 MiB.',
  limit: 'read',
  params: TemplateId,
  query: Page,
  responseBytes: maxPageBytes,
  reply: { status: 200, body: TemplateList, description: 'A page of versions, newest first.' },
  handle: async ({ params: { id }, query, caller: { workspace } }, { templates, cursors }) => {
    const { limit, before, nextCursor } = listPage(cursors, `${path}/${id}/versions`, workspace, query)
    const request = { workspace, id, limit, before: before === '' ? null : Number(before) }
    const found = await templates.ListVersions(request)
    const records = found.templates.map(templateSummary)
    const data = firstThatFit(records, jsonBytes)
    const hasMore = found.hasMore || data.length < records.length
    // All versions have the id of their template, so the cursor has the number.
    const next_cursor = nextCursor(hasMore, data.at(-1)?.version.toString())
    return { json: { object: 'list' as const, data, has_more: hasMore, next_cursor } }
  },
})

export const getTemplateVersion = route({
  name: 'getTemplateVersion',
  method: 'GET',
  path: '/api/v1/templates/:id/versions/:version',
  scope: readScopes,
  tag: 'Templates',
  summary: 'Read one version of a template',
  limit: 'read',
  responseBytes: templateBytes,
  params: VersionParams,
  reply: { status: 200, body: TemplateRecord, description: 'The template as it was in this version.' },
  handle: async ({ params: { id, version }, caller: { workspace } }, { templates }) => ({
    json: templateRecord(await templates.Get({ workspace, id, version: versionOf(version) })),
  }),
})

export const restoreTemplate = route({
  name: 'restoreTemplate',
  method: 'POST',
  path: '/api/v1/templates/:id/restore',
  scope: 'templates:write',
  tag: 'Templates',
  summary: 'Restore an earlier version of a template',
  description:
    'Stores subject and bodies of the version as the next version; `name` and `alias` stay. If they equal the newest version, no version is created.',
  limit: 'write',
  params: TemplateId,
  body: RestoreTemplate,
  reply: { status: 200, body: TemplateRecord, description: 'The newest version of the template.' },
  handle: async ({ params: { id }, body: { version }, ...identity }, { templates }) => ({
    json: templateRecord(await templates.Restore({ ...changeBy(identity), id, version })),
  }),
})

export const previewTemplate = route({
  name: 'previewTemplate',
  method: 'POST',
  path: '/api/v1/templates/:id/preview',
  isRepeatable: true,
  scope: readScopes,
  tag: 'Templates',
  summary: 'Render a template without sending it',
  description:
    'Renders a version as a send does, with the same problems for missing values. It stores and sends nothing.',
  limit: 'write',
  isBodyOptional: true,
  responseBytes: previewBytes,
  params: TemplateId,
  body: PreviewTemplate,
  reply: { status: 200, body: TemplatePreview, description: 'The rendered parts.' },
  handle: async ({ params: { id }, body, caller: { workspace } }, { templates }) => {
    const { template_vars: vars = {}, version = newestVersion } = body
    return { json: templatePreview(await templates.Preview({ workspace, id, version, vars })) }
  },
})

export const previewDraft = route({
  name: 'previewDraft',
  method: 'POST',
  path: '/api/v1/templates/preview',
  isRepeatable: true,
  scope: readScopes,
  tag: 'Templates',
  summary: 'Render a template that is not stored',
  description: 'Checks the parts as saving does, and renders them as a send does. It stores and sends nothing.',
  limit: 'write',
  responseBytes: previewBytes,
  body: PreviewDraft,
  rules: templateRules,
  serviceProblems: refusedTemplate,
  reply: { status: 200, body: TemplatePreview, description: 'The rendered parts.' },
  handle: async ({ body, caller: { workspace } }, { templates }) => {
    const { subject, html_body, text_body, template_vars: vars = {} } = body
    const parts = { subject, htmlBody: html_body ?? null, textBody: text_body ?? null }
    return { json: templatePreview(await templates.PreviewDraft({ workspace, ...parts, vars })) }
  },
})
