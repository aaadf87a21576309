import assert from 'node:assert/strict'
import { mostPageBytes } from '@postrider/domain/listPage.ts'
import type { StoredTemplate, TemplateStore, TemplateSummary } from './templates.ts'

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

const summary = (over: Partial<StoredTemplate> = {}): TemplateSummary => {
  const { htmlBody: _, textBody: __, ...rest } = template(over)
  return rest
}

/** More than a test stores. */
const most = 1_000

/** Declares the tests that every template store must pass. */
export const templatesConformance = (adapter: string, open: () => TemplateStore | Promise<TemplateStore>) =>
  describe(`template store in ${adapter}`, () => {
    it('returns a template as it was inserted, by version and as the newest', async () => {
      const templates = await open()
      await templates.insert(template(), most)
      assert.deepEqual(await templates.get('ws_1', 'tpl_1', 0), template())
      assert.deepEqual(await templates.get('ws_1', 'tpl_1', 1), template())
      assert.equal(await templates.get('ws_1', 'tpl_1', 2), null)
    })

    it('returns null for the template of another workspace', async () => {
      const templates = await open()
      await templates.insert(template(), most)
      assert.equal(await templates.get('ws_2', 'tpl_1', 0), null)
      assert.equal(await templates.get('ws_1', 'tpl_2', 0), null)
    })

    it('refuses a second template with the same name in a workspace', async () => {
      const templates = await open()
      await templates.insert(template(), most)
      await assert.rejects(templates.insert(template({ id: 'tpl_2' }), most), { code: 'conflict' })
      assert.equal(await templates.get('ws_1', 'tpl_2', 0), null)
      await templates.insert(template({ id: 'tpl_2', workspace: 'ws_2' }), most)
      await templates.insert(template({ id: 'tpl_3', name: 'welcome' }), most)
    })

    it('lists the templates of one workspace newest first, in pages', async () => {
      const templates = await open()
      for (const id of ['tpl_1', 'tpl_2', 'tpl_3']) await templates.insert(template({ id, name: id }), most)
      await templates.insert(template({ id: 'tpl_4', workspace: 'ws_2' }), most)
      const first = await templates.list('ws_1', null, 2)
      assert.deepEqual(
        first.templates.map(({ id }) => id),
        ['tpl_3', 'tpl_2'],
      )
      assert.equal(first.hasMore, true)
      const second = await templates.list('ws_1', 'tpl_2', 2)
      assert.deepEqual(second, { templates: [summary({ id: 'tpl_1', name: 'tpl_1' })], hasMore: false })
    })

    // Regression: a page of 100 templates had 100 MiB, because it contained their bodies.
    it('lists templates without their bodies', async () => {
      const templates = await open()
      const body = 'x'.repeat(512 * 1_024)
      for (let i = 0; i < 10; i++) {
        const id = `tpl_${i}`
        await templates.insert(template({ id, name: id, htmlBody: body, textBody: body }), most)
      }
      const page = await templates.list('ws_1', null, 100)
      assert.deepEqual([page.templates.length, page.hasMore], [10, false])
      assert.deepEqual(page.templates[0], summary({ id: 'tpl_9', name: 'tpl_9' }))
      assert.equal((await templates.get('ws_1', 'tpl_9', 0))?.htmlBody, body)
    })

    it('ends a page at its bytes, and the next page continues after it', async () => {
      const templates = await open()
      const subject = 'é'.repeat(256 * 1_024)
      const ids = Array.from({ length: 20 }, (_, i) => `tpl_${String(i).padStart(2, '0')}`)
      for (const id of ids) await templates.insert(template({ id, name: id, subject }), most)
      const seen: string[] = []
      for (let before: string | null = null; ; ) {
        const page = await templates.list('ws_1', before, 100)
        assert.ok(Buffer.byteLength(JSON.stringify(page.templates)) <= mostPageBytes)
        assert.ok(page.templates.length > 0)
        seen.push(...page.templates.map(({ id }) => id))
        if (!page.hasMore) break
        before = seen.at(-1) ?? null
      }
      assert.deepEqual(seen, ids.toReversed())
    })

    it('stores at most as many templates of a workspace as it may have, also at the same time', async () => {
      const templates = await open()
      await templates.insert(template({ id: 'tpl_0', name: 'first' }), 1)
      const ids = Array.from({ length: 20 }, (_, i) => `tpl_${i + 1}`)
      const stored = await Promise.all(ids.map((id) => templates.insert(template({ id, name: id }), 5)))
      assert.equal(stored.filter(Boolean).length, 4)
      assert.equal((await templates.list('ws_1', null, 100)).templates.length, 5)
      assert.equal(await templates.insert(template({ id: 'tpl_30', name: 'more' }), 5), false)
      assert.equal(await templates.get('ws_1', 'tpl_30', 0), null)
      assert.equal(await templates.insert(template({ id: 'tpl_31', name: 'more' }), 6), true)
      assert.equal(await templates.insert(template({ id: 'tpl_40', workspace: 'ws_2' }), 1), true)
    })

    it('counts no template whose name is in use', async () => {
      const templates = await open()
      await templates.insert(template(), 2)
      for (let i = 2; i < 6; i++) {
        await assert.rejects(templates.insert(template({ id: `tpl_${i}` }), 2), { code: 'conflict' })
      }
      assert.equal(await templates.insert(template({ id: 'tpl_6', name: 'other' }), 2), true)
    })
  })
