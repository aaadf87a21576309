import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { fresh, type Tenant } from '../support/client.ts'
import type { ListRecord, TemplateRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'

type Preview = { object: string; subject: string; html_body: string | null; text_body: string | null }

describe('versions of templates', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  const pathOf = (id: string): string => `/api/v1/templates/${id}`
  const read = (path: string) => tenant.api.call<TemplateRecord>({ path })
  const change = (id: string, json: Record<string, unknown>) =>
    tenant.api.call<TemplateRecord>({ method: 'PATCH', path: pathOf(id), json })

  const textSent = async (fields: Record<string, unknown>) => {
    const to = fresh()
    const response = await tenant.send({ to: [to], template_vars: {}, ...fields })
    assert.equal(response.status, 202, response.text)
    const { mail } = await system().receiver.waitFor(to)
    return { record: response.body, text: mail.text?.trim() }
  }

  it('creates a version with each change, and does not change earlier versions', async () => {
    const first = await tenant.template({ subject: 'S', html_body: '<p>one</p>', text_body: 'one' })
    const second = await change(first.id, { text_body: 'two', html_body: null })
    assert.equal(second.status, 200, second.text)
    assert.deepEqual(
      [second.body.version, second.body.text_body, second.body.html_body, second.body.name],
      [2, 'two', null, first.name],
    )
    assert.deepEqual((await change(first.id, { text_body: 'two' })).body, second.body)
    assert.deepEqual((await read(`${pathOf(first.id)}/versions/1`)).body, first)
    assert.deepEqual((await read(pathOf(first.id))).body, second.body)
    const list = await tenant.api.call<ListRecord<TemplateRecord>>({ path: `${pathOf(first.id)}/versions?limit=1` })
    assert.deepEqual([list.body.data.map(({ version }) => version), list.body.has_more], [[2], true])
    const rest = `${pathOf(first.id)}/versions?limit=1&cursor=${list.body.next_cursor}`
    const last = await tenant.api.call<ListRecord<TemplateRecord>>({ path: rest })
    const { html_body: _, text_body: __, ...summary } = first
    assert.deepEqual([last.body.data, last.body.has_more], [[summary], false])
    for (const none of ['3', '0', '01', 'x', '99999999999']) {
      assertProblem(await read(`${pathOf(first.id)}/versions/${none}`), 404, 'not_found')
    }
    assertProblem(await change(first.id, { text_body: null }), 422, 'validation_failed')
    assertProblem(await change(first.id, { text_body: '{{#if' }), 422, 'validation_failed')
  })

  it('restores an earlier version as the next one', async () => {
    const { id } = await tenant.template({ text_body: 'one' })
    await change(id, { text_body: 'two', name: fresh('renamed') })
    const restored = await tenant.api.call<TemplateRecord>({ path: `${pathOf(id)}/restore`, json: { version: 1 } })
    assert.equal(restored.status, 200, restored.text)
    assert.deepEqual([restored.body.version, restored.body.text_body], [3, 'one'])
    assertProblem(await tenant.api.call({ path: `${pathOf(id)}/restore`, json: { version: 9 } }), 404, 'not_found')
  })

  it('sends the version that template_version names, otherwise the newest', async () => {
    const { id } = await tenant.template({ text_body: 'one' })
    await change(id, { text_body: 'two' })
    const pinned = await textSent({ template_id: id, template_version: 1 })
    assert.deepEqual([pinned.text, pinned.record.template_version], ['one', 1])
    assert.equal((await textSent({ template_id: id })).text, 'two')
    const unknown = await tenant.send({ to: [fresh()], template_id: id, template_version: 3, template_vars: {} })
    assertProblem(unknown, 422, 'validation_failed', [{ path: 'template_version', code: 'unknown_template_version' }])
    const alone = await tenant.send({ to: [fresh()], subject: 's', text: 't', template_version: 1 })
    assertProblem(alone, 422, 'validation_failed', [{ path: 'template_id' }])
  })

  it('accepts an alias wherever it accepts an id', async () => {
    const alias = `a-${fresh('x').replaceAll(/[^a-z0-9]/g, '')}`.slice(0, 60)
    const made = await tenant.template({ alias, text_body: 'one' })
    assert.equal(made.alias, alias)
    assert.deepEqual((await read(pathOf(alias))).body, made)
    const { record, text } = await textSent({ template_id: alias })
    assert.deepEqual([record.template_id, text], [made.id, 'one'])
    const listed = await tenant.api.call<ListRecord<{ id: string }>>({ path: `/api/v1/emails?template_id=${alias}` })
    assert.deepEqual(
      listed.body.data.map(({ id }) => id),
      [record.id],
    )
    const json = { name: fresh('other'), subject: 's', text_body: 't', alias }
    assertProblem(await tenant.api.call({ path: '/api/v1/templates', json }), 409, 'conflict')
    assert.equal((await change(alias, { text_body: 'two' })).body.version, 2)
    assert.equal((await change(alias, { alias: null })).body.alias, null)
    assertProblem(await read(pathOf(alias)), 404, 'not_found')
    for (const bad of ['tpl_x', '1a', 'a b', ''])
      assertProblem(await change(made.id, { alias: bad }), 422, 'validation_failed', [{ path: 'alias' }])
  })

  it('deletes a template, and accepted mail keeps its content', async () => {
    const { id, name } = await tenant.template({ text_body: 'kept' })
    const later = { to: [fresh()], template_id: id, template_vars: {}, scheduled_at: 'PT1H' }
    const { body: email } = await tenant.send(later)
    const deleted = await tenant.api.call({ method: 'DELETE', path: pathOf(id) })
    assert.equal(deleted.status, 204, deleted.text)
    assertProblem(await read(pathOf(id)), 404, 'not_found')
    assertProblem(await read(`${pathOf(id)}/versions`), 404, 'not_found')
    assertProblem(await tenant.send(later), 422, 'validation_failed', [{ path: 'template_id' }])
    assert.match((await tenant.api.call({ path: `/api/v1/emails/${email.id}/raw` })).text, /kept/)
    assert.equal((await tenant.template({ name, text_body: 'x' })).version, 1)
  })

  it('previews stored versions and drafts', async () => {
    const { id } = await tenant.template({ subject: 'Hi {{name}}', html_body: '<p>{{name}}</p>' })
    await change(id, { html_body: '<b>{{name}}</b>' })
    const preview = (path: string, json: Record<string, unknown>) => tenant.api.call<Preview>({ path, json })
    const shown = await preview(`${pathOf(id)}/preview`, { template_vars: { name: '<A>' }, version: 1 })
    assert.equal(shown.status, 200, shown.text)
    assert.deepEqual(
      [shown.body.subject, shown.body.html_body, shown.body.text_body],
      ['Hi <A>', '<p>&lt;A&gt;</p>', '<A>'],
    )
    assertProblem(await preview(`${pathOf(id)}/preview`, { template_vars: {} }), 422, 'validation_failed')
    const draft = { subject: '{{a}}', text_body: '{{b}}', template_vars: { a: 1, b: 2 } }
    const drafted = await preview('/api/v1/templates/preview', draft)
    assert.deepEqual([drafted.status, drafted.body.subject, drafted.body.text_body], [200, '1', '2'])
    assertProblem(await preview('/api/v1/templates/preview', { ...draft, text_body: '{{' }), 422, 'validation_failed')
  })

  it('gives advice on the content', async () => {
    const { notices } = await tenant.template({
      html_body: '<img src="https://x.example/a.png"><a href="http://x.example">{{name}}</a>',
    })
    assert.equal(notices.length, 3, notices.join('\n'))
    assert.deepEqual((await tenant.template({ text_body: 'Hi' })).notices, [])
  })
})
