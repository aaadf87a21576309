import assert from 'node:assert/strict'
import { isId, newId } from '@postrider/kit/ids.ts'
import { at, problemsOf, rig, welcome } from '../../test/support/templatesRig.ts'

describe('a template', () => {
  it('is stored as version 1, with the variables of all parts in order of appearance', async () => {
    const { Create, Get } = rig()
    const template = await Create(welcome)
    const { id, notices, ...rest } = template
    assert.equal(notices?.length, 2)
    assert.ok(isId('tpl', id))
    const { workspace: _, actor: __, ...parts } = welcome
    const time = '2026-01-02T00:00:00.000Z'
    const variables = ['name', 'order.total', 'code']
    assert.deepEqual(rest, { ...parts, variables, version: 1, created_at: time, updated_at: time })
    assert.deepEqual(await Get({ workspace: 'ws_1', id, version: 0 }), template)
    assert.deepEqual(await Get({ workspace: 'ws_1', id, version: 1 }), template)
  })

  it('may have only one body; an empty body counts as absent', async () => {
    const { html_body: _, ...textOnly } = welcome
    assert.ok(!('html_body' in (await rig().Create(textOnly))))
    assert.ok(!('text_body' in (await rig().Create({ ...welcome, text_body: '' }))))
    assert.deepEqual(await problemsOf(rig().Create({ ...welcome, html_body: '', text_body: '' })), [
      'html_body missing',
    ])
  })

  it('is refused with all problems of all parts', async () => {
    const bad = { name: ' ', subject: '{{{a}}}\n', html_body: '{{> x}}{{a b}}', text_body: '{{__proto__}}' }
    assert.deepEqual(await problemsOf(rig().Create({ ...welcome, ...bad })), [
      'name empty',
      'subject control_character',
      'subject template_forbidden',
      'html_body template_forbidden',
      'html_body template_syntax',
      'text_body unknown_variable',
    ])
  })

  it('needs a name of 1 to 255 visible characters, and a subject', async () => {
    for (const [name, problem] of [
      ['', 'name empty'],
      ['a'.repeat(256), 'name too_long'],
      ['a\nb', 'name control_character'],
    ]) {
      assert.deepEqual(await problemsOf(rig().Create({ ...welcome, name: name ?? '' })), [problem])
    }
    assert.ok(await rig().Create({ ...welcome, name: 'a'.repeat(255) }))
    assert.deepEqual(await problemsOf(rig().Create({ ...welcome, subject: '' })), ['subject empty'])
  })

  it('has a name that is unique in its workspace', async () => {
    const { Create, entries } = rig()
    await Create(welcome)
    await assert.rejects(Create(welcome), { code: 'conflict' })
    await Create({ ...welcome, workspace: 'ws_2' })
    assert.equal(entries.length, 2)
  })

  it('is refused when its workspace has as many templates as it may have', async () => {
    const { Create, entries } = rig({ mostTemplates: 2 })
    for (const name of ['a', 'b']) await Create({ ...welcome, name })
    const refusal = { code: 'validation_failed', message: /at most 2 templates/ }
    await assert.rejects(Create({ ...welcome, name: 'c' }), refusal)
    assert.deepEqual(await problemsOf(Create({ ...welcome, name: 'c' })), [' too_many_templates'])
    await Create({ ...welcome, workspace: 'ws_2' })
    assert.equal(entries.length, 3)
  })

  it('is found only by its workspace, id and version', async () => {
    const { Create, Get } = rig()
    const { id } = await Create(welcome)
    for (const request of [
      { workspace: 'ws_2', id, version: 0 },
      { workspace: 'ws_1', id: newId('tpl'), version: 0 },
      { workspace: 'ws_1', id: "' or 1=1", version: 0 },
      { workspace: 'ws_1', id, version: 2 },
    ]) {
      await assert.rejects(Get(request), { code: 'not_found' })
    }
  })

  it('is written to the audit log without its bodies', async () => {
    const { Create, entries } = rig()
    const { id } = await Create(welcome)
    const [{ id: _, ...line } = assert.fail('no line'), ...others] = entries
    const after = { name: 'welcome', subject: 'Hi {{name}}', variables: ['name', 'order.total', 'code'], version: 1 }
    const by = { workspace: 'ws_1', at, actor: 'key_1', clientAddress: '' }
    assert.deepEqual(line, { ...by, action: 'template.create', target: id, before: null, after })
    assert.deepEqual(others, [])
  })
})

describe('the list of templates', () => {
  it('is sorted newest first and paged', async () => {
    const { Create, List } = rig()
    for (const name of ['a', 'b', 'c']) await Create({ ...welcome, name })
    const page = await List({ workspace: 'ws_1', limit: 2, before: '', without_bodies: true })
    assert.deepEqual([page.templates.map(({ name }) => name), page.has_more], [['c', 'b'], true])
    const next = await List({ workspace: 'ws_1', limit: 2, before: page.templates[1]?.id ?? '', without_bodies: true })
    assert.deepEqual([next.templates.map(({ name }) => name), next.has_more], [['a'], false])
    assert.deepEqual(await List({ workspace: 'ws_2', limit: 2, before: '', without_bodies: true }), {
      templates: [],
      has_more: false,
    })
  })

  it('contains no bodies, except for a gateway of release 0.1', async () => {
    const { Create, List } = rig()
    const { html_body, text_body, ...summary } = await Create(welcome)
    const request = { workspace: 'ws_1', limit: 1, before: '' }
    assert.deepEqual((await List({ ...request, without_bodies: true })).templates, [summary])
    assert.deepEqual((await List({ ...request, without_bodies: false })).templates, [
      { ...summary, html_body, text_body },
    ])
  })

  for (const without_bodies of [true, false])
    it(`has at most 4 MiB per page and no gaps, ${without_bodies ? 'without' : 'with'} bodies`, async () => {
      const { Create, List } = rig()
      const [subject, html_body] = ['s'.repeat(400_000), 'b'.repeat(500_000)]
      for (let i = 0; i < 25; i++) await Create({ ...welcome, name: `t${i}`, subject, html_body })
      const seen: string[] = []
      for (let before = ''; ; ) {
        const page = await List({ workspace: 'ws_1', limit: 100, before, without_bodies })
        assert.ok(Buffer.byteLength(JSON.stringify(page.templates)) <= 4 * 2 ** 20)
        seen.push(...page.templates.map(({ name }) => name))
        before = page.templates.at(-1)?.id ?? assert.fail('an empty page')
        if (!page.has_more) break
      }
      assert.deepEqual(
        seen,
        Array.from({ length: 25 }, (_, i) => `t${24 - i}`),
      )
    })
})
