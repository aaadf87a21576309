import assert from 'node:assert/strict'
import type { StoredTemplate, TemplateStore } from './templates.ts'

const template = (over: Partial<StoredTemplate> = {}): StoredTemplate => ({
  id: 'tpl_1',
  workspace: 'ws_1',
  name: 'Welcome',
  subject: 'Hello {{name}}',
  htmlBody: '<p>{{name}}</p>',
  textBody: null,
  variables: ['name'],
  version: 1,
  createdAt: 1_000,
  updatedAt: 1_000,
  ...over,
})

/** Declares the tests that every template store must pass. */
export const templatesConformance = (adapter: string, open: () => TemplateStore | Promise<TemplateStore>) =>
  describe(`template store in ${adapter}`, () => {
    it('returns a template as it was inserted, by version and as the newest', async () => {
      const templates = await open()
      await templates.insert(template())
      assert.deepEqual(await templates.get('ws_1', 'tpl_1', 0), template())
      assert.deepEqual(await templates.get('ws_1', 'tpl_1', 1), template())
      assert.equal(await templates.get('ws_1', 'tpl_1', 2), null)
    })

    it('returns null for the template of another workspace', async () => {
      const templates = await open()
      await templates.insert(template())
      assert.equal(await templates.get('ws_2', 'tpl_1', 0), null)
      assert.equal(await templates.get('ws_1', 'tpl_2', 0), null)
    })

    it('refuses a second template with the same name in a workspace', async () => {
      const templates = await open()
      await templates.insert(template())
      await assert.rejects(templates.insert(template({ id: 'tpl_2' })), { code: 'conflict' })
      assert.equal(await templates.get('ws_1', 'tpl_2', 0), null)
      await templates.insert(template({ id: 'tpl_2', workspace: 'ws_2' }))
      await templates.insert(template({ id: 'tpl_3', name: 'welcome' }))
    })

    it('lists the templates of one workspace newest first, in pages', async () => {
      const templates = await open()
      for (const id of ['tpl_1', 'tpl_2', 'tpl_3']) await templates.insert(template({ id, name: id }))
      await templates.insert(template({ id: 'tpl_4', workspace: 'ws_2' }))
      const first = await templates.list('ws_1', null, 2)
      assert.deepEqual(
        first.templates.map(({ id }) => id),
        ['tpl_3', 'tpl_2'],
      )
      assert.equal(first.hasMore, true)
      const second = await templates.list('ws_1', 'tpl_2', 2)
      assert.deepEqual(second, { templates: [template({ id: 'tpl_1', name: 'tpl_1' })], hasMore: false })
    })
  })
