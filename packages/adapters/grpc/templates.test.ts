import assert from 'node:assert/strict'
import type { ListedTemplate, RenderedParts, Templates, TemplatesRpc } from '@postrider/contracts/services.ts'
import { templatesSpec } from '@postrider/contracts/services.ts'
import type { Template } from '@postrider/domain/templates/template.ts'
import { encodedCalls } from '../../../test/support/encodedCalls.ts'
import { templatesClient, templatesHandlers } from './templates.ts'

const at = Date.UTC(2026, 10, 21, 12, 0, 0, 7)
const templateKey = { workspace: 'ws_1', id: 'tpl_1' }
const by = { actor: 'key_1', clientAddress: '192.0.2.1' }

const full: Template = {
  id: 'tpl_1',
  name: 'welcome',
  alias: 'hello',
  subject: 'Hi {{name}}',
  htmlBody: '<p>{{name}}</p>',
  textBody: '{{name}}',
  variables: ['name'],
  notices: ['Advice.'],
  version: 3,
  createdAt: at,
  updatedAt: at + 1,
}
const { alias: _, ...unnamed } = full
const textOnly: Template = { ...unnamed, htmlBody: null, notices: [] }
const { htmlBody: __, textBody: ___, ...summary } = full

/** Returns a service whose method records its requests. */
const responding = (method: keyof Templates, response: unknown, received: unknown[]) =>
  ({
    [method]: async (request: unknown) => {
      received.push(request)
      return response
    },
  }) as unknown as Templates

/** Calls a fake service through encoded gRPC messages. @returns what it received and what the caller got */
const crossing = async <Method extends keyof Templates>(
  method: Method,
  message: Parameters<Templates[Method]>[0],
  response: Awaited<ReturnType<Templates[Method]>>,
) => {
  const received: unknown[] = []
  const handlers = templatesHandlers(responding(method, response, received))
  const call = templatesClient(encodedCalls(templatesSpec, handlers))[method] as (request: unknown) => Promise<unknown>
  return { answered: await call(message), received }
}

const assertCrosses = async <Method extends keyof Templates>(
  method: Method,
  message: Parameters<Templates[Method]>[0],
  response: Awaited<ReturnType<Templates[Method]>>,
): Promise<void> =>
  assert.deepEqual(await crossing(method, message, response), { answered: response, received: [message] })

describe('templates over gRPC messages', () => {
  const vars = { name: 'Ann', items: [1, null, { deep: true }] }
  const parts = { subject: 'S', htmlBody: null, textBody: 'T' }

  it('Create and Get pass on templates with and without optional parts', async () => {
    await assertCrosses('Create', { workspace: 'ws_1', name: 'n', alias: 'a', ...parts, htmlBody: 'H', ...by }, full)
    await assertCrosses('Create', { workspace: 'ws_1', name: 'n', ...parts, actor: 'key_1' }, textOnly)
    await assertCrosses('Get', { ...templateKey, version: 0 }, full)
  })

  it('Update distinguishes absent fields from removed ones', async () => {
    await assertCrosses('Update', { ...templateKey, ...by }, full)
    await assertCrosses('Update', { ...templateKey, ...by, htmlBody: null, textBody: null, alias: null }, full)
    await assertCrosses('Update', { ...templateKey, ...by, name: 'n', alias: 'a', ...parts, htmlBody: 'H' }, full)
  })

  it('Restore and Delete pass on who requests them', async () => {
    await assertCrosses('Restore', { ...templateKey, ...by, version: 2 }, full)
    await assertCrosses('Delete', { ...templateKey, ...by }, undefined)
  })

  it('lists have positions and, only if they are requested, bodies', async () => {
    const page = (...templates: ListedTemplate[]) => ({ templates, hasMore: true })
    const { received, answered } = await crossing(
      'List',
      { workspace: 'ws_1', limit: 2, before: 'tpl_2' },
      page(summary),
    )
    assert.deepEqual(received, [{ workspace: 'ws_1', limit: 2, before: 'tpl_2' }])
    assert.deepEqual(answered, page({ ...summary, htmlBody: null, textBody: null }))
    await assertCrosses('List', { workspace: 'ws_1', limit: 2, before: null, withBodies: true }, page(full, textOnly))
    await assertCrosses('ListVersions', { ...templateKey, limit: 2, before: null }, page(full))
    await assertCrosses('ListVersions', { ...templateKey, limit: 2, before: 3 }, page(full))
  })

  it('previews keep their values structured', async () => {
    const preview: RenderedParts = { source: { id: 'tpl_1', version: 3 }, ...parts, variables: ['a'], notices: ['b'] }
    await assertCrosses('Preview', { ...templateKey, version: 3, vars }, preview)
    await assertCrosses('PreviewDraft', { workspace: 'ws_1', vars, ...parts }, { ...preview, source: null })
  })
})

describe('messages of release 0.1 about templates', () => {
  const rpcOf = (method: keyof Templates, response: unknown) => {
    const received: unknown[] = []
    const rpc = encodedCalls(templatesSpec, templatesHandlers(responding(method, response, received)))
    return { rpc, received }
  }

  it('a request without the later fields is understood', async () => {
    const created = rpcOf('Create', full)
    await created.rpc.Create({ workspace: 'ws_1', name: 'n', subject: 'S', text_body: 'T', actor: 'key_1' })
    const parts = { subject: 'S', htmlBody: null, textBody: 'T' }
    assert.deepEqual(created.received, [{ workspace: 'ws_1', name: 'n', ...parts, actor: 'key_1' }])
    const listed = rpcOf('List', { templates: [full], hasMore: false })
    const request = { workspace: 'ws_1', limit: 1, before: '' } as Parameters<TemplatesRpc['List']>[0]
    const { templates } = await listed.rpc.List(request)
    assert.equal(templates[0]?.html_body, full.htmlBody)
    assert.deepEqual(listed.received, [{ workspace: 'ws_1', limit: 1, before: null, withBodies: true }])
  })

  it('a reply without the later fields is understood', async () => {
    const { id, name, subject, variables, version } = full
    const times = { created_at: '2026-11-21T12:00:00.007Z', updated_at: '2026-11-21T12:00:00.008Z' }
    const reply = { id, name, subject, text_body: 'T', variables, version, ...times }
    const old = { Get: async () => reply } as unknown as TemplatesRpc
    const got = await templatesClient(encodedCalls(templatesSpec, old)).Get({ ...templateKey, version: 0 })
    assert.deepEqual(got, { ...textOnly, textBody: 'T' })
  })
})
