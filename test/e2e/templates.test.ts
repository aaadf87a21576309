import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { fresh, type Tenant } from '../support/client.ts'
import type { ListRecord, TemplateRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'

describe('templates', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  const create = (fields: Record<string, unknown>) =>
    tenant.api.call<TemplateRecord>({
      path: '/api/v1/templates',
      json: { name: fresh('template'), subject: 'S', ...fields },
    })

  const deliver = async (template_id: string, template_vars: unknown) => {
    const to = fresh()
    const response = await tenant.send({ to: [to], template_id, template_vars })
    assert.equal(response.status, 202, response.text)
    return { record: response.body, mail: (await system().receiver.waitFor(to)).mail }
  }

  it('creates a template, returns its record, and reads and lists it', async () => {
    const name = fresh('welcome')
    const fields = {
      name,
      subject: 'Hi {{name}}',
      html_body: '<p>{{name}}, {{ order.total }}</p>',
      text_body: '{{name}}',
    }
    const response = await create(fields)
    assert.equal(response.status, 201, response.text)
    const record = response.body
    assert.match(record.id, /^tpl_[0-9a-z]{26}$/)
    assert.equal(response.headers['location'], `/api/v1/templates/${record.id}`)
    assert.deepEqual([record.object, record.version], ['template', 1])
    assert.equal(record.name, name)
    assert.equal(record.html_body, fields.html_body)
    assert.ok(record.variables.includes('name'))
    const read = await tenant.api.call<TemplateRecord>({ path: `/api/v1/templates/${record.id}` })
    assert.deepEqual(read.body, record)
    const list = await tenant.api.call<ListRecord<TemplateRecord>>({ path: '/api/v1/templates?limit=1' })
    assert.deepEqual([list.body.object, list.body.data[0]?.id, list.body.has_more], ['list', record.id, false])
    const { html_body: _, text_body: __, ...summary } = record
    assert.deepEqual(list.body.data, [summary])
  })

  // Regression: ten such lists ended the process with an out-of-memory error.
  it('lists templates with long subjects in pages of at most 4 MiB', async () => {
    const author = await system().client.tenant()
    const subject = 'é'.repeat(256 * 1_024)
    const names = Array.from({ length: 10 }, () => fresh('long'))
    for (const name of names) {
      const json = { name, subject, html_body: 'x'.repeat(400_000) }
      assert.equal((await author.api.call({ path: '/api/v1/templates', json })).status, 201)
    }
    const seen: string[] = []
    for (let query = '?limit=100'; ; ) {
      const page = await author.api.call<ListRecord<TemplateRecord>>({ path: `/api/v1/templates${query}` })
      assert.equal(page.status, 200, page.text.slice(0, 300))
      assert.ok(Buffer.byteLength(page.text) <= 4 * 2 ** 20)
      seen.push(...page.body.data.map(({ name }) => name))
      if (page.body.next_cursor === null) break
      query = `?limit=100&cursor=${encodeURIComponent(page.body.next_cursor)}`
    }
    assert.deepEqual(seen, names.reverse())
  })

  it('renders values escaped in HTML and plain elsewhere, and records id and version of the template', async () => {
    const template = await tenant.template({
      subject: 'For {{who}} & co',
      html_body: '<p>{{who}}</p><div>{{{rich}}}</div><i>{{ order.total }}</i>',
      text_body: '{{who}} {{order.total}}',
    })
    const { mail, record } = await deliver(template.id, {
      who: 'Tom & <Jerry>',
      rich: '<b>bold</b>',
      order: { total: 12.5 },
    })
    assert.equal(mail.subject, 'For Tom & <Jerry> & co')
    assert.match(mail.html ?? '', /<p>Tom &amp; &lt;Jerry&gt;<\/p><div><b>bold<\/b><\/div><i>12\.5<\/i>/)
    assert.equal(mail.text?.trim(), 'Tom & <Jerry> 12.5')
    assert.deepEqual(
      [record.template_id, record.template_version, record.subject],
      [template.id, 1, 'For Tom & <Jerry> & co'],
    )
  })

  it('evaluates conditions and loops as Handlebars does', async () => {
    const template = await tenant.template({
      text_body:
        '{{#if vip}}VIP{{else}}guest{{/if}}{{#unless vip}}!{{/unless}} {{#each items}}[{{this.name}}:{{this.n}}]{{/each}}',
    })
    const items = [
      { name: 'a', n: 1 },
      { name: 'b', n: 2 },
    ]
    assert.equal((await deliver(template.id, { vip: true, items })).mail.text?.trim(), 'VIP [a:1][b:2]')
    assert.equal((await deliver(template.id, { vip: false, items: [] })).mail.text?.trim(), 'guest!')
  })

  it('sends only text for a template without HTML, and adds text to a template without text', async () => {
    const text = await tenant.template({ text_body: 'plain' })
    assert.equal((await deliver(text.id, {})).mail.html, undefined)
    const html = await tenant.template({ html_body: '<p>rich</p>' })
    assert.equal((await deliver(html.id, {})).mail.text?.trim(), 'rich')
  })

  it('reports all missing variables in one response and ignores unused ones', async () => {
    const template = await tenant.template({ subject: '{{a}}', text_body: '{{b}} {{c.d}} {{e}}' })
    const response = await tenant.send({ to: [fresh()], template_id: template.id, template_vars: { e: 1, extra: 2 } })
    const problem = assertProblem(response, 422, 'validation_failed')
    assert.equal(problem.errors?.length, 3)
    const errors = JSON.stringify(problem.errors)
    for (const name of ['a', 'b', 'c.d']) assert.ok(errors.includes(name), `${name} is not in ${errors}`)
    assert.equal((await deliver(template.id, { a: 1, b: 2, c: { d: 3 }, e: 4, extra: 5 })).mail.text?.trim(), '2 3 4')
  })

  it('refuses a used name in the same workspace, but not in another', async () => {
    const name = fresh('unique')
    assert.equal((await create({ name, text_body: 'x' })).status, 201)
    assertProblem(await create({ name, text_body: 'x' }), 409, 'conflict')
    const other = await system().client.tenant()
    assert.equal((await other.template({ name, text_body: 'x' })).name, name)
  })

  for (const [what, fields, path] of [
    ['without a name', { name: null, text_body: 'x' }, 'name'],
    ['without a subject', { subject: null, text_body: 'x' }, 'subject'],
    ['without a body', {}, undefined],
    ['with an unknown field', { html: 'x', text_body: 'x' }, 'html'],
    ['with a part over 512 KiB', { html_body: 'x'.repeat(512 * 1024 + 1) }, 'html_body'],
    ['with over 100 variables', { text_body: Array.from({ length: 101 }, (_, i) => `{{v${i}}}`).join('') }, undefined],
  ] as const)
    it(`refuses a template ${what}`, async () => {
      assertProblem(await create(fields), 422, 'validation_failed', path === undefined ? [] : [{ path }])
    })

  it('refuses template_vars over 64 KiB or with more than 5 levels', async () => {
    const template = await tenant.template({ text_body: '{{a}}' })
    const deep = { a: { b: { c: { d: { e: { f: 1 } } } } } }
    for (const template_vars of [{ a: 'x'.repeat(64 * 1024 + 1) }, deep])
      assertProblem(
        await tenant.send({ to: [fresh()], template_id: template.id, template_vars }),
        422,
        'validation_failed',
      )
  })

  it('refuses a line break in a value of the subject', async () => {
    const template = await tenant.template({ subject: 'Hi {{name}}', text_body: 'x' })
    const response = await tenant.send({
      to: [fresh()],
      template_id: template.id,
      template_vars: { name: 'a\r\nBcc: e@z.example' },
    })
    assertProblem(response, 422, 'validation_failed')
  })
})
