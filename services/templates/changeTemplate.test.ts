import assert from 'node:assert/strict'
import { newId } from '@postrider/kit/ids.ts'
import type { TemplateStore } from '@postrider/ports/templates.ts'
import { at, by, problemsOf, rig, welcome } from '../../test/support/templatesRig.ts'

/** A template with an alias, and the functions that change it. */
const withTemplate = async (options: Parameters<typeof rig>[0] = {}) => {
  const service = rig(options)
  const first = await service.Create({ ...welcome, alias: 'hello' })
  const { id } = first
  const get = (version = 0) => service.Get({ workspace: 'ws_1', id, version })
  const update = (fields: object) => service.Update({ ...by, id, ...fields })
  const restore = (version: number) => service.Restore({ ...by, id, version })
  const versions = async () => {
    const page = await service.ListVersions({ workspace: 'ws_1', id, limit: 100, before: null })
    return page.templates.map(({ version }) => version)
  }
  return { ...service, first, id, get, update, restore, versions }
}

/** Returns a store in which something happens before each of the first writes. */
const interrupted =
  (times: number, happens: (templates: TemplateStore) => Promise<unknown>) =>
  (templates: TemplateStore): TemplateStore => {
    let left = times
    const first = async () => {
      if (left-- > 0) await happens(templates)
    }
    return {
      ...templates,
      update: async (...given) => {
        await first()
        return templates.update(...given)
      },
      remove: async (...given) => {
        await first()
        return templates.remove(...given)
      },
    }
  }

const line = {
  id: 'aud_1',
  workspace: 'ws_1',
  at,
  actor: 'key_2',
  clientAddress: '',
  target: '',
  before: null,
  after: null,
}
const otherLine = { ...line, action: 'template.update' }

/** Stores the next version of the only template as another process does. */
const changedElsewhere = async (templates: TemplateStore) => {
  const newest = await newestOf(templates)
  const version = newest.version + 1
  await templates.update({ ...newest, version, subject: `Elsewhere ${version}` }, otherLine)
}

const newestOf = async (templates: TemplateStore) => {
  const [summary] = (await templates.list('ws_1', null, 1)).templates
  const found = summary && (await templates.get('ws_1', summary.id, 0))
  return found ?? assert.fail('there is no template')
}

describe('a changed template', () => {
  it('has the changed parts as its next version, and keeps the other parts', async () => {
    const { first, update, get, passes, versions } = await withTemplate()
    passes(1_000)
    const second = await update({ textBody: 'Code: {{code}}' })
    const changed = { textBody: 'Code: {{code}}', version: 2, updatedAt: at + 1_000 }
    assert.deepEqual(second, { ...first, ...changed })
    assert.deepEqual(await get(), second)
    assert.deepEqual(await get(1), first)
    passes(1_000)
    const third = await update({ name: 'other', subject: 'Bye', htmlBody: '<b>{{total}}</b>', alias: 'bye' })
    assert.deepEqual([third.name, third.subject, third.alias], ['other', 'Bye', 'bye'])
    assert.deepEqual([third.variables, third.version], [['total', 'code'], 3])
    assert.deepEqual([third.createdAt, third.updatedAt], [at, at + 2_000])
    assert.deepEqual(await versions(), [3, 2, 1])
  })

  it('has no new version if nothing changes', async () => {
    const { first, update, restore, get, entries, passes } = await withTemplate()
    passes(1_000)
    for (const same of [{}, { subject: first.subject }, { name: first.name, alias: 'hello', textBody: '{{code}}' }]) {
      assert.deepEqual(await update(same), first)
    }
    assert.deepEqual(await restore(1), first)
    assert.deepEqual(await get(), first)
    assert.equal(entries.length, 1)
  })

  it('has no part and no alias that were removed', async () => {
    const { update, Get } = await withTemplate()
    const { htmlBody, alias, variables } = await update({ htmlBody: null, alias: null })
    assert.deepEqual([htmlBody, alias, variables], [null, undefined, ['name', 'code']])
    await assert.rejects(Get({ workspace: 'ws_1', id: 'hello', version: 0 }), { code: 'not_found' })
    assert.deepEqual(await problemsOf(update({ textBody: null })), ['html_body missing'])
  })

  it('is refused with all problems of the result, and stays unchanged', async () => {
    const { first, update, get, entries } = await withTemplate()
    const bad = { name: ' ', alias: 'tpl_x', subject: '', htmlBody: '{{> x}}', textBody: '{{a b}}' }
    assert.deepEqual(await problemsOf(update(bad)), [
      'name empty',
      'alias invalid_alias',
      'subject empty',
      'html_body template_forbidden',
      'text_body template_syntax',
    ])
    assert.deepEqual(await get(), first)
    assert.equal(entries.length, 1)
  })

  it('may not have the name or the alias of another template of its workspace', async () => {
    const { Create, update } = await withTemplate()
    await Create({ ...welcome, name: 'other', alias: 'other' })
    await assert.rejects(update({ name: 'other' }), { code: 'conflict' })
    await assert.rejects(update({ alias: 'other' }), { code: 'conflict' })
    await Create({ ...welcome, workspace: 'ws_2', name: 'third', alias: 'third' })
    assert.equal((await update({ name: 'third', alias: 'third' })).version, 2)
  })

  it('is found by its alias, in its workspace only', async () => {
    const { Update, first } = await withTemplate()
    assert.equal((await Update({ ...by, id: 'hello', subject: 'Bye' })).id, first.id)
    for (const other of [
      { ...by, id: 'hello', workspace: 'ws_2' },
      { ...by, id: first.id, workspace: 'ws_2' },
      { ...by, id: 'Hello' },
      { ...by, id: newId('tpl') },
      { ...by, id: '$ne' },
    ]) {
      await assert.rejects(Update({ ...other, subject: 'x' }), { code: 'not_found' })
    }
  })

  it('has at most as many versions as a template may have', async () => {
    const { update, restore, get, versions, Delete, entries, id } = await withTemplate({ maxVersions: 3 })
    for (const subject of ['b', 'c']) await update({ subject })
    assert.deepEqual(await problemsOf(update({ subject: 'd' })), [' too_many_versions'])
    assert.deepEqual(await problemsOf(restore(1)), [' too_many_versions'])
    await assert.rejects(update({ name: 'renamed' }), { message: /at most 3 versions/ })
    // A request that changes nothing needs no version.
    assert.equal((await update({ subject: 'c' })).version, 3)
    assert.deepEqual(await problemsOf(update({ subject: '{{' })), ['subject template_syntax'])
    assert.deepEqual([(await get()).subject, await versions(), entries.length], ['c', [3, 2, 1], 3])
    await Delete({ ...by, id })
  })

  it('is changed on top of the version that another request stored at the same time', async () => {
    const { update, get } = await withTemplate({ around: interrupted(3, changedElsewhere) })
    const { version, subject, textBody } = await update({ textBody: 'T' })
    assert.deepEqual([version, subject, textBody], [5, 'Elsewhere 4', 'T'])
    assert.equal((await get(2)).subject, 'Elsewhere 2')
  })

  it('is refused as unavailable if other requests keep changing it', async () => {
    const { update, get } = await withTemplate({ around: interrupted(1_000, changedElsewhere) })
    await assert.rejects(update({ textBody: 'T' }), { code: 'unavailable', retryAfterMs: 1_000 })
    assert.match((await get()).subject, /^Elsewhere/)
  })

  it('is not found if another request removes it at the same time', async () => {
    const removed = async (templates: TemplateStore) => {
      const { id, version } = await newestOf(templates)
      await templates.remove('ws_1', id, version, otherLine)
    }
    const { update } = await withTemplate({ around: interrupted(1, removed) })
    await assert.rejects(update({ textBody: 'T' }), { code: 'not_found' })
  })

  it('is written to the audit log without its bodies', async () => {
    const { update, restore, entries, id } = await withTemplate()
    await update({ textBody: 'secret', alias: 'bye' })
    await restore(1)
    const [, second, third] = entries
    const { workspace, actor, clientAddress } = by
    const { id: _, ...line } = second ?? assert.fail('no line')
    const states = {
      before: { alias: 'hello', variables: ['name', 'order.total', 'code'], version: 1 },
      after: { alias: 'bye', variables: ['name', 'order.total'], version: 2 },
    }
    assert.deepEqual(line, { workspace, actor, clientAddress, at, action: 'template.update', target: id, ...states })
    assert.deepEqual([third?.action, third?.after?.['version']], ['template.restore', 3])
    assert.ok(!JSON.stringify(entries).includes('secret'))
  })
})

describe('a restored version', () => {
  it('is the next version, with subject and bodies of the earlier version and the current name and alias', async () => {
    const { update, restore, get, first, passes } = await withTemplate()
    await update({ name: 'renamed', alias: 'bye', subject: 'S', htmlBody: null, textBody: 'T' })
    passes(1_000)
    const third = await restore(1)
    const { subject, htmlBody, textBody, variables, notices } = first
    const kept = { id: first.id, workspace: 'ws_1', name: 'renamed', alias: 'bye', createdAt: at }
    const parts = { subject, htmlBody, textBody, variables, notices }
    assert.deepEqual(third, { ...kept, ...parts, version: 3, updatedAt: at + 1_000 })
    assert.equal((await get(2)).textBody, 'T')
  })

  it('refuses to restore a version that does not exist', async () => {
    const { restore, Restore } = await withTemplate()
    await assert.rejects(restore(2), { code: 'not_found' })
    await assert.rejects(Restore({ ...by, id: newId('tpl'), version: 1 }), { code: 'not_found' })
  })
})

describe('a deleted template', () => {
  it('is removed with its versions, and its name, alias and slot are free', async () => {
    const { Delete, Create, update, get, ListVersions, List, entries, id } = await withTemplate({ maxTemplates: 1 })
    await update({ subject: 'S' })
    await Delete({ ...by, id: 'hello' })
    for (const version of [0, 1, 2]) await assert.rejects(get(version), { code: 'not_found' })
    await assert.rejects(ListVersions({ workspace: 'ws_1', id, limit: 1, before: null }), { code: 'not_found' })
    const list = await List({ workspace: 'ws_1', limit: 1, before: null })
    assert.deepEqual(list.templates, [])
    await assert.rejects(Delete({ ...by, id }), { code: 'not_found' })
    await assert.rejects(update({ subject: 'S' }), { code: 'not_found' })
    const { id: _, ...line } = entries.at(-1) ?? assert.fail('no line')
    const { before, after, ...rest } = line
    assert.deepEqual([rest.action, rest.target, before?.['version'], after], ['template.delete', id, 2, null])
    assert.equal((await Create({ ...welcome, alias: 'hello' })).version, 1)
  })

  it('is deleted with the version that another request stored at the same time', async () => {
    const { Delete, get, entries, id } = await withTemplate({ around: interrupted(2, changedElsewhere) })
    await Delete({ ...by, id })
    await assert.rejects(get(), { code: 'not_found' })
    assert.equal(entries.at(-1)?.before?.['version'], 3)
  })

  it('is not found from another workspace', async () => {
    const { Delete, get, id } = await withTemplate()
    await assert.rejects(Delete({ ...by, workspace: 'ws_2', id }), { code: 'not_found' })
    assert.equal((await get()).version, 1)
  })
})

describe('the list of versions', () => {
  it('is sorted newest first, paged and without bodies', async () => {
    const { update, ListVersions, id, first } = await withTemplate()
    for (const subject of ['b', 'c']) await update({ subject })
    const page = await ListVersions({ workspace: 'ws_1', id: 'hello', limit: 2, before: null })
    assert.deepEqual([page.templates.map(({ subject }) => subject), page.hasMore], [['c', 'b'], true])
    const next = await ListVersions({ workspace: 'ws_1', id, limit: 2, before: 2 })
    const { htmlBody: _, textBody: __, ...summary } = first
    assert.deepEqual(next, { templates: [summary], hasMore: false })
  })
})
