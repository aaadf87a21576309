import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { assertProblem } from '../support/assertProblem.ts'
import { type Caller, fresh, type Tenant } from '../support/client.ts'
import { colleague } from '../support/people.ts'
import type { ListRecord, TemplateRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'

type Preview = { subject: string; html_body: string | null; text_body: string | null; variables: string[] }

const root = '/api/v1/templates'
const freshAlias = (): string => fresh('a').replaceAll(/[^a-z0-9]/g, '')

describe('changes of templates', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  const change = (id: string, json: unknown, by: Caller = tenant.api) =>
    by.call<TemplateRecord>({ method: 'PATCH', path: `${root}/${id}`, json })
  const remove = (id: string, by: Caller = tenant.api) =>
    by.call<undefined>({ method: 'DELETE', path: `${root}/${id}` })
  const preview = (json: unknown, id = '', by: Caller = tenant.api) =>
    by.call<Preview>({ path: id === '' ? `${root}/preview` : `${root}/${id}/preview`, json })
  const versionsOf = async (id: string): Promise<number[]> => {
    const { body } = await tenant.api.call<ListRecord<TemplateRecord>>({ path: `${root}/${id}/versions?limit=100` })
    return body.data.map(({ version }) => version)
  }

  it('do not change accepted mail: scheduled mail is sent as it was accepted', async () => {
    const template = await tenant.template({ subject: 'Old {{n}}', text_body: 'old {{n}}' })
    const vars = { n: 1 }
    const send = async (fields: Record<string, unknown>) => {
      const to = fresh()
      const mail = { to: [to], template_id: template.id, template_vars: vars, scheduled_at: 'PT2S', ...fields }
      const key = { 'idempotency-key': randomUUID() }
      const response = await tenant.send(mail, key)
      assert.equal(response.status, 202, response.text)
      return { to, response, again: () => tenant.send(mail, key) }
    }
    const [changed, pinned] = [await send({}), await send({ template_version: 1 })]
    assert.equal((await change(template.id, { subject: 'New', text_body: 'new' })).status, 200)
    const second = await send({})
    assert.equal((await remove(template.id)).status, 204)
    for (const [{ to, response, again }, number, subject, text] of [
      [changed, 1, 'Old 1', 'old 1'],
      [pinned, 1, 'Old 1', 'old 1'],
      [second, 2, 'New', 'new'],
    ] as const) {
      const { mail } = await system().receiver.waitFor(to)
      assert.deepEqual([mail.subject, mail.text?.trim()], [subject, text])
      const email = await tenant.get(response.body.id)
      assert.deepEqual([email.template_id, email.template_version, email.subject], [template.id, number, subject])
      const repeated = await again()
      assert.deepEqual([repeated.status, repeated.text], [202, response.text])
      assert.equal(repeated.headers['idempotent-replayed'], 'true')
    }
    const listed = await tenant.list(`?template_id=${template.id}`)
    assert.equal(listed.data.length, 3)
  })

  it('are all stored one after another when they are made at the same time', async () => {
    const { id } = await tenant.template({ text_body: 'T' })
    const fields = [
      { subject: 'a' },
      { text_body: 'b' },
      { html_body: '<p>c</p>' },
      { name: fresh('d') },
      { subject: 'e' },
    ]
    const responses = await Promise.all(fields.map((one) => change(id, one)))
    for (const { status, text } of responses) assert.equal(status, 200, text)
    assert.deepEqual(responses.map(({ body }) => body.version).toSorted(), [2, 3, 4, 5, 6])
    assert.deepEqual(await versionsOf(id), [6, 5, 4, 3, 2, 1])
    const newest = await tenant.api.call<TemplateRecord>({ path: `${root}/${id}` })
    const { text_body, html_body, name, version } = newest.body
    assert.deepEqual([text_body, html_body, name, version], ['b', '<p>c</p>', fields[3]?.name, 6])
  })

  it('are stored before a deletion at the same time, or refused', async () => {
    for (let round = 0; round < 3; round++) {
      const { id, name } = await tenant.template({ text_body: 'T' })
      const [removed, ...changed] = await Promise.all([
        remove(id),
        change(id, { subject: 'a' }),
        change(id, { subject: 'b' }),
      ])
      assert.equal(removed.status, 204, removed.text)
      for (const { status, text } of changed) assert.ok(status === 200 || status === 404, text)
      assertProblem(await tenant.api.call({ path: `${root}/${id}` }), 404, 'not_found')
      assertProblem(await change(id, { subject: 'c' }), 404, 'not_found')
      assertProblem(await remove(id), 404, 'not_found')
      assert.equal((await tenant.template({ name, text_body: 'T' })).version, 1)
    }
  })

  it('may be made with sessions and keys, as their roles and scopes allow', async () => {
    const [member, viewer] = [await colleague(system(), tenant, 'member'), await colleague(system(), tenant, 'viewer')]
    const reading = await tenant.makeKey({ scopes: ['templates:read'] })
    const sending = await tenant.makeKey({ scopes: ['emails:send'] })
    const testing = await tenant.makeKey({ mode: 'test' })
    const { id } = await tenant.template({ text_body: '{{n}}' })
    const vars = { template_vars: { n: 1 } }
    let version = 1
    for (const by of [tenant.session, member.session, testing]) {
      version += 1
      assert.equal((await change(id, { subject: `v${version}` }, by)).body.version, version)
      assert.equal((await preview(vars, id, by)).body.text_body, '1')
    }
    for (const by of [viewer.session, reading]) {
      assertProblem(await change(id, { subject: 'x' }, by), 403, 'insufficient_scope')
      assertProblem(await remove(id, by), 403, 'insufficient_scope')
      assertProblem(await by.call({ path: `${root}/${id}/restore`, json: { version: 1 } }), 403, 'insufficient_scope')
      assert.equal((await preview(vars, id, by)).body.text_body, '1')
      assert.equal((await preview({ subject: 's', text_body: 't' }, '', by)).status, 200)
      const list = await by.call<ListRecord<TemplateRecord>>({ path: `${root}/${id}/versions` })
      assert.equal(list.body.data.length, version)
    }
    assertProblem(await preview(vars, id, sending), 403, 'insufficient_scope')
    assertProblem(await sending.call({ path: `${root}/${id}/versions` }), 403, 'insufficient_scope')
    const sent = await sending.call<{ template_version: number }>({
      path: '/api/v1/emails',
      json: { to: [fresh()], template_id: id, template_version: 2, ...vars },
    })
    assert.deepEqual([sent.status, sent.body.template_version], [202, 2])
    assert.equal((await remove(id, member.session)).status, 204)
  })

  it('concern only templates of the workspace, even where two workspaces have one alias', async () => {
    const other = await system().client.tenant()
    const alias = freshAlias()
    const [own, foreign] = [
      await tenant.template({ alias, text_body: 'own' }),
      await other.template({ alias, text_body: 'f' }),
    ]
    assert.equal((await change(alias, { text_body: 'changed' })).body.id, own.id)
    assert.equal((await preview({}, alias, other.api)).body.text_body, 'f')
    for (const id of [foreign.id, `${alias}x`]) {
      assertProblem(await change(id, { subject: 'x' }), 404, 'not_found')
      assertProblem(await remove(id), 404, 'not_found')
      assertProblem(await preview({}, id), 404, 'not_found')
      assertProblem(await tenant.api.call({ path: `${root}/${id}/versions` }), 404, 'not_found')
      assertProblem(await tenant.api.call({ path: `${root}/${id}/versions/1` }), 404, 'not_found')
      assertProblem(await tenant.api.call({ path: `${root}/${id}/restore`, json: { version: 1 } }), 404, 'not_found')
      const sent = await tenant.send({ to: [fresh()], template_id: id, template_vars: {} })
      assertProblem(sent, 422, 'validation_failed', [{ path: 'template_id', code: 'unknown_template' }])
    }
    assert.equal((await other.api.call<TemplateRecord>({ path: `${root}/${foreign.id}` })).body.version, 1)
  })

  it('need a well-formed body, and null of a field that cannot be removed counts as absent', async () => {
    const template = await tenant.template({ text_body: 'T' })
    assert.deepEqual((await change(template.id, { name: null, subject: null })).body, template)
    assert.deepEqual((await change(template.id, {})).body, template)
    for (const [json, path] of [
      [{ subject: '' }, 'subject'],
      [{ name: 'a\u0000' }, 'name'],
      [{ text_body: 7 }, 'text_body'],
      [{ html: '<p>x</p>' }, 'html'],
      [{ version: 2 }, 'version'],
      [{ alias: 'a/b' }, 'alias'],
      [{ html_body: '{{a}' }, 'html_body'],
    ] as const) {
      assertProblem(await change(template.id, json), 422, 'validation_failed', [{ path }])
    }
    for (const version of [0, -1, 1.5, '1', 2 ** 31, null]) {
      const restored = await tenant.api.call({ path: `${root}/${template.id}/restore`, json: { version } })
      assertProblem(restored, 422, 'validation_failed', [{ path: 'version' }])
    }
    const mail = { to: [fresh()], template_id: template.id, template_vars: {} }
    for (const template_version of [0, 1.5, '1', 2 ** 31]) {
      const sent = await tenant.send({ ...mail, template_version })
      assertProblem(sent, 422, 'validation_failed', [{ path: 'template_version' }])
    }
    assert.deepEqual(await versionsOf(template.id), [1])
  })

  it('are compared by reading two versions', async () => {
    const first = await tenant.template({ subject: 'Hello {{name}}', html_body: '<p>one</p>', text_body: 'one' })
    await change(first.id, { html_body: '<p>two</p>' })
    const versions = await Promise.all(
      [1, 2].map((number) => tenant.api.call<TemplateRecord>({ path: `${root}/${first.id}/versions/${number}` })),
    )
    const [one, two] = versions.map(({ body }) => body as unknown as Record<string, unknown>)
    assert.ok(one && two)
    const differing = Object.keys(one).filter((name) => JSON.stringify(one[name]) !== JSON.stringify(two[name]))
    assert.deepEqual(differing.filter((name) => name !== 'updated_at').toSorted(), ['html_body', 'version'])
    assert.deepEqual(one, first)
  })

  for (const [json, path, code] of [
    [
      { text_body: `{{#each a}}${'x'.repeat(1_000)}{{/each}}`, template_vars: { a: Array(3_000).fill(1) } },
      'template_vars',
      'render_limit',
    ],
    [{ text_body: '{{a}}', template_vars: { a: 'x'.repeat(70_000) } }, 'template_vars', 'vars_too_large'],
    [{ text_body: 'T', template_vars: { a: { b: { c: { d: { e: { f: 1 } } } } } } }, 'template_vars', 'vars_too_deep'],
    [{ text_body: '{{a}}', template_vars: [] }, 'template_vars', undefined],
    [{ text_body: '{{a}}', template_vars: { a: {} } }, 'template_vars.a', 'unprintable_value'],
    [{ text_body: '{{a}}' }, 'template_vars.a', 'missing_variable'],
    [{ text_body: '{{a.constructor}}', template_vars: { a: {} } }, 'text_body', 'unknown_variable'],
    [{ text_body: '{{#with a}}{{/with}}', template_vars: { a: {} } }, 'text_body', 'template_forbidden'],
    [{ html_body: '<a href="{{a}}">x</a>', template_vars: { a: 'javascript:x()' } }, 'template_vars.a', 'unsafe_url'],
    [{ text_body: 'x'.repeat(512 * 1_024 + 1) }, 'text_body', 'too_long'],
    [{}, 'html_body', 'missing'],
    [{ text_body: 'T', name: 'x' }, 'name', undefined],
  ] as const)
    it(`are previewed within limits: ${JSON.stringify(json).slice(0, 60)} is refused at ${path}`, async () => {
      assertProblem(await preview({ subject: 'S', ...json }), 422, 'validation_failed', [
        { path, ...(code !== undefined && { code }) },
      ])
    })

  it('are previewed with 2 MiB of output, and with the text part of a send', async () => {
    const html_body = `<p>${'{{a}}'.repeat(30)}</p>`
    const { status, body, text } = await preview({ subject: 'S', html_body, template_vars: { a: 'x '.repeat(30_000) } })
    assert.equal(status, 200, text.slice(0, 300))
    assert.equal(body.html_body?.length, 30 * 60_000 + 7)
    assert.ok((body.text_body?.length ?? 0) > 1_700_000)
    assert.deepEqual(body.variables, ['a'])
  })

  for (const [advice, parts] of [
    [/^There is no text_body/, { html_body: '<p>x</p>' }],
    [/^html_body has an image without an alt/, { html_body: '<img src="https://x.example/a.png">', text_body: 'x' }],
    [/^html_body has a URL with http:\/\//, { html_body: '<a href="HTTP://x.example">x</a>', text_body: 'x' }],
    [/^html_body has 103 kB/, { html_body: `<p>${'x'.repeat(102_100)}</p>`, text_body: 'x' }],
    [/^Only html_body uses a;/, { html_body: '<p>{{a}}</p>', text_body: 'x' }],
    [/^Only text_body uses a;/, { html_body: '<p>x</p>', text_body: '{{#each a}}x{{/each}}' }],
  ] as const)
    it(`have the notice ${advice}`, async () => {
      const created = await tenant.template(parts)
      const changed = (await change((await tenant.template({ text_body: 'x' })).id, { text_body: null, ...parts })).body
      const { notices } = changed
      assert.deepEqual([notices.length, created.notices.length], [1, 1], notices.join('\n'))
      assert.match(notices[0] ?? '', advice)
      const list = await tenant.api.call<ListRecord<TemplateRecord>>({ path: `${root}/${changed.id}/versions` })
      assert.deepEqual(
        list.body.data.map((one) => one.notices),
        [notices, []],
      )
    })
})
