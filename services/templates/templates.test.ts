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
    const { actor: _, ...parts } = welcome
    const times = { createdAt: at, updatedAt: at }
    const variables = ['name', 'order.total', 'code']
    assert.deepEqual(rest, { ...parts, variables, version: 1, ...times })
    assert.deepEqual(await Get({ workspace: 'ws_1', id, version: 0 }), template)
    assert.deepEqual(await Get({ workspace: 'ws_1', id, version: 1 }), template)
  })

  it('may have only one body; an empty body counts as absent', async () => {
    assert.equal((await rig().Create({ ...welcome, htmlBody: null })).htmlBody, null)
    assert.equal((await rig().Create({ ...welcome, textBody: '' })).textBody, null)
    assert.deepEqual(await problemsOf(rig().Create({ ...welcome, htmlBody: '', textBody: '' })), ['html_body missing'])
  })

  it('is refused with all problems of all parts', async () => {
    const bad = { name: ' ', subject: '{{{a}}}\n', htmlBody: '{{> x}}{{a b}}', textBody: '{{__proto__}}' }
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
    const { Create, entries } = rig({ maxTemplates: 2 })
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
    const page = await List({ workspace: 'ws_1', limit: 2, before: null })
    assert.deepEqual([page.templates.map(({ name }) => name), page.hasMore], [['c', 'b'], true])
    const next = await List({ workspace: 'ws_1', limit: 2, before: page.templates[1]?.id ?? null })
    assert.deepEqual([next.templates.map(({ name }) => name), next.hasMore], [['a'], false])
    assert.deepEqual(await List({ workspace: 'ws_2', limit: 2, before: null }), {
      templates: [],
      hasMore: false,
    })
  })

  it('contains no bodies, except for a gateway of release 0.1', async () => {
    const { Create, List } = rig()
    const { htmlBody, textBody, ...summary } = await Create(welcome)
    const request = { workspace: 'ws_1', limit: 1, before: null }
    assert.deepEqual((await List({ ...request })).templates, [summary])
    assert.deepEqual((await List({ ...request, withBodies: true })).templates, [{ ...summary, htmlBody, textBody }])
  })

  for (const [bodies, options] of [
    ['without', {}],
    ['with', { withBodies: true }],
  ] as const)
    it(`has at most 4 MiB per page and no gaps, ${bodies} bodies`, async () => {
      const { Create, List } = rig()
      const [subject, htmlBody] = ['s'.repeat(400_000), 'b'.repeat(500_000)]
      for (let i = 0; i < 25; i++) await Create({ ...welcome, name: `t${i}`, subject, htmlBody })
      const seen: string[] = []
      for (let before: string | null = null; ; ) {
        const page: Awaited<ReturnType<typeof List>> = await List({ workspace: 'ws_1', limit: 100, before, ...options })
        assert.ok(Buffer.byteLength(JSON.stringify(page.templates)) <= 4 * 2 ** 20)
        seen.push(...page.templates.map(({ name }) => name))
        before = page.templates.at(-1)?.id ?? assert.fail('an empty page')
        if (!page.hasMore) break
      }
      assert.deepEqual(
        seen,
        Array.from({ length: 25 }, (_, i) => `t${24 - i}`),
      )
    })
})
