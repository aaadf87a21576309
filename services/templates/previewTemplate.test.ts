import assert from 'node:assert/strict'
import { makeSlices } from '@postrider/kit/slices.ts'
import { problemsOf, rig, welcome } from '../../test/support/templatesRig.ts'

const vars = (values: unknown): string => JSON.stringify(values)
const values = vars({ name: '<Ada>', order: { total: 3 }, code: 'A&B', unused: [1] })

const draft = (parts: object, values: unknown = {}) => {
  const { PreviewDraft } = rig()
  return PreviewDraft({ workspace: 'ws_1', subject: 'S', template_vars_json: vars(values), ...parts })
}

describe('a preview', () => {
  it('has the parts of a stored version as a send renders them, with its variables and notices', async () => {
    const { Create, Update, Preview } = rig()
    const { id, variables, notices } = await Create({ ...welcome, alias: 'hello' })
    await Update({ workspace: 'ws_1', actor: 'key_1', client_address: '', id, html_body: '<i>{{{name}}}</i>' })
    const request = { workspace: 'ws_1', id: 'hello', template_vars_json: values }
    const first = { id, version: 1, subject: 'Hi <Ada>', html_body: '<p>3 &lt;Ada&gt;</p>', text_body: 'A&B' }
    assert.deepEqual(await Preview({ ...request, version: 1 }), { ...first, variables, notices })
    const newest = await Preview({ ...request, version: 0 })
    assert.deepEqual([newest.version, newest.html_body, newest.variables], [2, '<i><Ada></i>', ['name', 'code']])
  })

  it('a preview stores nothing', async () => {
    const { Create, Preview, PreviewDraft, entries, List } = rig()
    const { id } = await Create(welcome)
    await Preview({ workspace: 'ws_1', id, version: 0, template_vars_json: values })
    await PreviewDraft({ workspace: 'ws_1', subject: 'S', text_body: 'T', template_vars_json: '{}' })
    const { templates } = await List({ workspace: 'ws_1', limit: 10, before: '', without_bodies: true })
    assert.deepEqual([templates.map(({ version }) => version), entries.length], [[1], 1])
  })

  it('of another workspace, or of a version that does not exist, is not found', async () => {
    const { Create, Preview } = rig()
    const { id } = await Create(welcome)
    const request = { workspace: 'ws_1', id, version: 0, template_vars_json: values }
    await assert.rejects(Preview({ ...request, workspace: 'ws_2' }), { code: 'not_found' })
    await assert.rejects(Preview({ ...request, version: 2 }), { code: 'not_found' })
  })

  it('lists all missing and unprintable values, each once', async () => {
    const { Create, Preview } = rig()
    const { id } = await Create(welcome)
    const request = { workspace: 'ws_1', id, version: 0 }
    assert.deepEqual(await problemsOf(Preview({ ...request, template_vars_json: vars({ code: {} }) })), [
      'template_vars.name missing_variable',
      'template_vars.order.total missing_variable',
      'template_vars.code unprintable_value',
    ])
  })

  it('of parts that are not stored is checked as saving checks them', async () => {
    assert.deepEqual(await problemsOf(draft({ subject: '', html_body: '{{#if a}}', text_body: '{{lookup a b}}' })), [
      'subject empty',
      'html_body template_syntax',
      'text_body template_forbidden',
    ])
    assert.deepEqual(await problemsOf(draft({})), ['html_body missing'])
    const shown = await draft({ text_body: '{{a}}' }, { a: 1 })
    assert.deepEqual([shown.id, shown.version, shown.subject, shown.text_body], ['', 0, 'S', '1'])
    assert.deepEqual([shown.html_body, shown.variables, shown.notices], [undefined, ['a'], []])
  })

  it('generates the text part that a send would have, and none from HTML without text', async () => {
    assert.equal((await draft({ html_body: '<p>Hello <b>Ada</b></p>' })).text_body, 'Hello Ada')
    assert.equal((await draft({ html_body: '<img src="cid:a" alt="">' })).text_body, undefined)
  })

  for (const [what, parts, given, expected] of [
    ['a helper that is a value', { text_body: '{{log}}' }, {}, 'text_body template_forbidden'],
    ['the root object', { text_body: '{{@root}}' }, {}, 'text_body template_forbidden'],
    ['a prototype', { text_body: '{{a.constructor.name}}' }, { a: 'x' }, 'text_body unknown_variable'],
    [
      'a property that is not own',
      { text_body: '{{a.toString}}' },
      { a: 'x' },
      'template_vars.a.toString missing_variable',
    ],
    ['the length of a value', { text_body: '{{a.length}}' }, { a: 'x' }, 'template_vars.a.length missing_variable'],
    [
      'a URL that runs code',
      { html_body: '<a href="{{a}}">' },
      { a: ' JaVa\tscript:x()' },
      'template_vars.a unsafe_url',
    ],
    [
      'a line break in the subject',
      { subject: '{{a}}', text_body: 'T' },
      { a: 'x\r\nBcc: y' },
      'template_vars.a control_character',
    ],
  ] as const)
    it(`refuses ${what}`, async () => {
      assert.deepEqual(await problemsOf(draft(parts, given)), [expected])
    })

  it('does not run what values contain', async () => {
    const code = '{{#each this}}{{constructor}}{{/each}}<% x %><script>x</script>'
    const { html_body } = await draft({ html_body: '<p>{{a}}</p>' }, { a: code })
    assert.equal(html_body, '<p>{{#each this}}{{constructor}}{{/each}}&lt;% x %&gt;&lt;script&gt;x&lt;/script&gt;</p>')
  })
})

describe('the limits of a preview', () => {
  const items = Array.from({ length: 20_000 }, () => 1)
  // Few steps, so that a busy machine does not reach the limit of time.
  const [longPart, long] = ['{{a}}'.repeat(300), { a: 'x'.repeat(4_000) }]
  const nested = '{{#each a}}{{#each b}}x{{/each}}{{/each}}'

  it('are those of a send: 2 MiB of output, and loops that end', async () => {
    const loop = { text_body: `{{#each a}}${'x'.repeat(200)}{{/each}}` }
    assert.deepEqual(await problemsOf(draft(loop, { a: items })), ['template_vars render_limit'])
    const a = Array.from({ length: 1_000 }, () => ({ b: items.slice(0, 1_000) }))
    assert.deepEqual(await problemsOf(draft({ text_body: nested }, { a })), ['template_vars render_limit'])
  })

  it('hold for all parts together', async () => {
    const shown = await draft({ text_body: longPart }, long)
    assert.equal(shown.text_body?.length, 300 * 4_000)
    const both = draft({ html_body: longPart, text_body: longPart }, long)
    assert.deepEqual(await problemsOf(both), ['template_vars render_limit'])
  })

  it('leave the process its turns while a long preview is rendered', async () => {
    let turns = 0
    const slices = makeSlices({ sliceMs: 0 })
    const { PreviewDraft } = rig({ slices })
    const count = (): void => {
      turns += 1
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    const html_body = `<p>${longPart}</p>`
    await PreviewDraft({ workspace: 'ws_1', subject: 'S', html_body, template_vars_json: vars(long) })
    clearImmediate(timer)
    assert.ok(turns > 5, `${turns} turns`)
  })
})
