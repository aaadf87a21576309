import assert from 'node:assert/strict'
import { maxPageBytes } from '@postrider/domain/listPage.ts'
import { anEntry } from './auditFixtures.conformance.ts'
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

/** Maximum number of templates that the store is given; no test stores as many. */
const max = 1_000

/** Declares the tests that every template store must pass. */
export const templatesConformance = (adapter: string, open: () => TemplateStore | Promise<TemplateStore>) =>
  describe(`template store in ${adapter}`, () => {
    it('returns a template as it was inserted, by version and as the newest', async () => {
      const templates = await open()
      await templates.insert(template(), max, anEntry())
      assert.deepEqual(await templates.get('ws_1', 'tpl_1', 0), template())
      assert.deepEqual(await templates.get('ws_1', 'tpl_1', 1), template())
      assert.equal(await templates.get('ws_1', 'tpl_1', 2), null)
    })

    it('returns null for the template of another workspace', async () => {
      const templates = await open()
      await templates.insert(template(), max, anEntry())
      assert.equal(await templates.get('ws_2', 'tpl_1', 0), null)
      assert.equal(await templates.get('ws_1', 'tpl_2', 0), null)
    })

    it('refuses a second template with the same name in a workspace', async () => {
      const templates = await open()
      await templates.insert(template(), max, anEntry())
      assert.equal(await templates.insert(template({ id: 'tpl_2' }), max, anEntry()), 'name_taken')
      assert.equal(await templates.get('ws_1', 'tpl_2', 0), null)
      await templates.insert(template({ id: 'tpl_2', workspace: 'ws_2' }), max, anEntry())
      await templates.insert(template({ id: 'tpl_3', name: 'welcome' }), max, anEntry())
    })

    it('lists the templates of one workspace newest first, in pages', async () => {
      const templates = await open()
      for (const id of ['tpl_1', 'tpl_2', 'tpl_3']) await templates.insert(template({ id, name: id }), max, anEntry())
      await templates.insert(template({ id: 'tpl_4', workspace: 'ws_2' }), max, anEntry())
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
        await templates.insert(template({ id, name: id, htmlBody: body, textBody: body }), max, anEntry())
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
      for (const id of ids) await templates.insert(template({ id, name: id, subject }), max, anEntry())
      const seen: string[] = []
      for (let before: string | null = null; ; ) {
        const page = await templates.list('ws_1', before, 100)
        assert.ok(Buffer.byteLength(JSON.stringify(page.templates)) <= maxPageBytes)
        assert.ok(page.templates.length > 0)
        seen.push(...page.templates.map(({ id }) => id))
        if (!page.hasMore) break
        before = seen.at(-1) ?? null
      }
      assert.deepEqual(seen, ids.toReversed())
    })

    it('stores at most as many templates of a workspace as it may have, even at the same time', async () => {
      const templates = await open()
      await templates.insert(template({ id: 'tpl_0', name: 'first' }), 1, anEntry())
      const ids = Array.from({ length: 20 }, (_, i) => `tpl_${i + 1}`)
      const stored = await Promise.all(ids.map((id) => templates.insert(template({ id, name: id }), 5, anEntry())))
      assert.equal(stored.filter((result) => result === 'stored').length, 4)
      assert.equal((await templates.list('ws_1', null, 100)).templates.length, 5)
      assert.equal(await templates.insert(template({ id: 'tpl_30', name: 'more' }), 5, anEntry()), 'full')
      assert.equal(await templates.get('ws_1', 'tpl_30', 0), null)
      assert.equal(await templates.insert(template({ id: 'tpl_31', name: 'more' }), 6, anEntry()), 'stored')
      assert.equal(await templates.insert(template({ id: 'tpl_40', workspace: 'ws_2' }), 1, anEntry()), 'stored')
    })

    it('counts no template whose name is in use', async () => {
      const templates = await open()
      await templates.insert(template(), 2, anEntry())
      for (let i = 2; i < 6; i++) {
        assert.equal(await templates.insert(template({ id: `tpl_${i}` }), 2, anEntry()), 'name_taken')
      }
      assert.equal(await templates.insert(template({ id: 'tpl_6', name: 'other' }), 2, anEntry()), 'stored')
    })

    const next = (version: number, over: Partial<StoredTemplate> = {}) =>
      template({ version, updatedAt: 1_000 + version, subject: `Version ${version}`, ...over })

    it('stores versions that do not change, and returns each of them', async () => {
      const templates = await open()
      await templates.insert(template(), max, anEntry())
      assert.equal(await templates.update(next(2, { notices: ['n'], variables: [] }), anEntry()), 'stored')
      assert.equal(await templates.update(next(3, { htmlBody: null, textBody: 't', name: 'Bye' }), anEntry()), 'stored')
      assert.deepEqual(await templates.get('ws_1', 'tpl_1', 1), template())
      assert.deepEqual(await templates.get('ws_1', 'tpl_1', 2), next(2, { notices: ['n'], variables: [] }))
      const third = next(3, { htmlBody: null, textBody: 't', name: 'Bye' })
      assert.deepEqual(await templates.get('ws_1', 'tpl_1', 3), third)
      assert.deepEqual(await templates.get('ws_1', 'tpl_1', 0), third)
      for (const version of [4, -1, -2]) assert.equal(await templates.get('ws_1', 'tpl_1', version), null)
      const { htmlBody: _, textBody: __, ...shown } = third
      assert.deepEqual(await templates.list('ws_1', null, 10), { templates: [shown], hasMore: false })
    })

    // Regression: SQLite compared the name first.
    it('refuses a version of another state as changed, even if its name is taken', async () => {
      const templates = await open()
      await templates.insert(template(), max, anEntry())
      await templates.insert(template({ id: 'tpl_2', name: 'Bye' }), max, anEntry())
      assert.equal(await templates.update(next(3, { name: 'Bye' }), anEntry()), 'changed')
      assert.equal(await templates.update(next(2, { id: 'tpl_3', name: 'Bye' }), anEntry()), 'changed')
      assert.equal(await templates.update(next(2, { name: 'Bye' }), anEntry()), 'name_taken')
    })

    it('stores a version only after the one before it, once', async () => {
      const templates = await open()
      assert.equal(await templates.update(next(2), anEntry()), 'changed')
      await templates.insert(template(), max, anEntry())
      assert.equal(await templates.update(next(3), anEntry()), 'changed')
      assert.equal(await templates.update(next(2, { workspace: 'ws_2' }), anEntry()), 'changed')
      const subjects = ['a', 'b', 'c', 'd']
      const stored = await Promise.all(subjects.map((subject) => templates.update(next(2, { subject }), anEntry())))
      assert.equal(stored.filter((result) => result === 'stored').length, 1)
      assert.equal((await templates.get('ws_1', 'tpl_1', 0))?.subject, subjects[stored.indexOf('stored')])
      assert.deepEqual(await templates.get('ws_1', 'tpl_1', 1), template())
    })

    it('lists the versions of a template newest first, without bodies, in pages', async () => {
      const templates = await open()
      await templates.insert(template(), max, anEntry())
      for (const version of [2, 3, 4]) await templates.update(next(version), anEntry())
      const page = async (before: number | null, limit: number) => {
        const { templates: found, hasMore } = await templates.listVersions('ws_1', 'tpl_1', before, limit)
        for (const one of found) assert.ok(!('htmlBody' in one) && one.id === 'tpl_1')
        return [found.map(({ version }) => version), hasMore]
      }
      assert.deepEqual(await page(null, 10), [[4, 3, 2, 1], false])
      assert.deepEqual(await page(null, 4), [[4, 3, 2, 1], false])
      assert.deepEqual(await page(null, 1), [[4], true])
      assert.deepEqual(await page(4, 2), [[3, 2], true])
      assert.deepEqual(await page(2, 2), [[1], false])
      assert.deepEqual(await page(1, 2), [[], false])
      const { templates: found } = await templates.listVersions('ws_1', 'tpl_1', 2, 1)
      assert.deepEqual(found, [summary()])
      assert.deepEqual(await templates.listVersions('ws_2', 'tpl_1', null, 10), { templates: [], hasMore: false })
    })

    it('finds a template by the alias of its newest version, in its workspace', async () => {
      const templates = await open()
      await templates.insert(template({ alias: 'welcome' }), max, anEntry())
      await templates.insert(template({ id: 'tpl_2', workspace: 'ws_2', alias: 'welcome' }), max, anEntry())
      assert.deepEqual(await templates.getByAlias('ws_1', 'welcome', 0), template({ alias: 'welcome' }))
      assert.equal(await templates.getByAlias('ws_1', 'Welcome', 0), null)
      assert.equal(await templates.getByAlias('ws_3', 'welcome', 0), null)
      await templates.update(next(2, { alias: 'hello' }), anEntry())
      assert.equal(await templates.getByAlias('ws_1', 'welcome', 0), null)
      assert.deepEqual(await templates.getByAlias('ws_1', 'hello', 0), next(2, { alias: 'hello' }))
      assert.deepEqual(await templates.getByAlias('ws_1', 'hello', 1), template({ alias: 'welcome' }))
      assert.equal(await templates.getByAlias('ws_1', 'hello', 3), null)
      await templates.update(next(3), anEntry())
      assert.equal(await templates.getByAlias('ws_1', 'hello', 0), null)
      assert.deepEqual(await templates.get('ws_1', 'tpl_1', 0), next(3))
    })

    it('refuses a name or an alias that another template of the workspace has', async () => {
      const templates = await open()
      await templates.insert(template({ alias: 'welcome' }), max, anEntry())
      const second = template({ id: 'tpl_2', name: 'Second' })
      assert.equal(await templates.insert({ ...second, alias: 'welcome' }, max, anEntry()), 'alias_taken')
      await templates.insert(second, max, anEntry())
      await templates.insert(template({ id: 'tpl_3', name: 'Third' }), max, anEntry())
      assert.equal(await templates.update({ ...second, version: 2, alias: 'welcome' }, anEntry()), 'alias_taken')
      assert.equal(await templates.update({ ...second, version: 2, name: 'Welcome' }, anEntry()), 'name_taken')
      assert.deepEqual(await templates.get('ws_1', 'tpl_2', 0), second)
      // Its own name and alias are not taken.
      assert.equal(await templates.update(next(2, { alias: 'welcome' }), anEntry()), 'stored')
    })

    it('removes a template with its versions, and frees its name, alias and slot', async () => {
      const templates = await open()
      await templates.insert(template({ alias: 'welcome' }), 1, anEntry())
      await templates.update(next(2, { alias: 'welcome' }), anEntry())
      assert.equal(await templates.remove('ws_1', 'tpl_1', 1, anEntry()), false)
      assert.equal(await templates.remove('ws_2', 'tpl_1', 2, anEntry()), false)
      assert.equal(await templates.remove('ws_1', 'tpl_1', 2, anEntry()), true)
      assert.equal(await templates.remove('ws_1', 'tpl_1', 2, anEntry()), false)
      for (const version of [0, 1, 2]) assert.equal(await templates.get('ws_1', 'tpl_1', version), null)
      assert.equal(await templates.getByAlias('ws_1', 'welcome', 0), null)
      const none = { templates: [], hasMore: false }
      assert.deepEqual(await templates.list('ws_1', null, 10), none)
      assert.deepEqual(await templates.listVersions('ws_1', 'tpl_1', null, 10), none)
      assert.equal(await templates.update(next(3), anEntry()), 'changed')
      assert.equal(await templates.insert(template({ id: 'tpl_2', alias: 'welcome' }), 1, anEntry()), 'stored')
    })

    it('removes several templates at the same time', async () => {
      const templates = await open()
      const ids = ['tpl_1', 'tpl_2', 'tpl_3', 'tpl_4']
      for (const id of ids) await templates.insert(template({ id, name: id }), max, anEntry())
      const removed = await Promise.all(ids.map((id) => templates.remove('ws_1', id, 1, anEntry())))
      assert.deepEqual(removed, [true, true, true, true])
    })
  })
