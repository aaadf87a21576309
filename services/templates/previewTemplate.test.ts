import assert from 'node:assert/strict'
import type { TemplateVars } from '@postrider/contracts/services.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import { problemsOf, rig, welcome } from '../../test/support/templatesRig.ts'

const vars = { name: '<Ada>', order: { total: 3 }, code: 'A&B', unused: [1] }

const draft = (parts: object, vars: TemplateVars = {}) => {
  const { PreviewDraft } = rig()
  return PreviewDraft({ workspace: 'ws_1', subject: 'S', htmlBody: null, textBody: null, vars, ...parts })
}

describe('a preview', () => {
  it('has the parts of a stored version as a send renders them, with its variables and notices', async () => {
    const { Create, Update, Preview } = rig()
    const { id, variables, notices } = await Create({ ...welcome, alias: 'hello' })
    await Update({ workspace: 'ws_1', actor: 'key_1', id, htmlBody: '<i>{{{name}}}</i>' })
    const request = { workspace: 'ws_1', id: 'hello', vars }
    const source = { id, version: 1 }
    const first = { source, subject: 'Hi <Ada>', htmlBody: '<p>3 &lt;Ada&gt;</p>', textBody: 'A&B' }
    assert.deepEqual(await Preview({ ...request, version: 1 }), { ...first, variables, notices })
    const newest = await Preview({ ...request, version: 0 })
    assert.deepEqual([newest.source?.version, newest.htmlBody, newest.variables], [2, '<i><Ada></i>', ['name', 'code']])
  })

  it('a preview stores nothing', async () => {
    const { Create, Preview, PreviewDraft, entries, List } = rig()
    const { id } = await Create(welcome)
    await Preview({ workspace: 'ws_1', id, version: 0, vars })
    await PreviewDraft({ workspace: 'ws_1', subject: 'S', htmlBody: null, textBody: 'T', vars: {} })
    const { templates } = await List({ workspace: 'ws_1', limit: 10, before: null })
    assert.deepEqual([templates.map(({ version }) => version), entries.length], [[1], 1])
  })

  it('is not found from another workspace, or for a version that does not exist', async () => {
    const { Create, Preview } = rig()
    const { id } = await Create(welcome)
    const request = { workspace: 'ws_1', id, version: 0, vars }
    await assert.rejects(Preview({ ...request, workspace: 'ws_2' }), { code: 'not_found' })
    await assert.rejects(Preview({ ...request, version: 2 }), { code: 'not_found' })
  })

  it('lists all missing and unprintable values, each once', async () => {
    const { Create, Preview } = rig()
    const { id } = await Create(welcome)
    const request = { workspace: 'ws_1', id, version: 0 }
    assert.deepEqual(await problemsOf(Preview({ ...request, vars: { code: {} } })), [
      'template_vars.name missing_variable',
      'template_vars.order.total missing_variable',
      'template_vars.code unprintable_value',
    ])
  })

  it('checks parts that are not stored like a stored template', async () => {
    assert.deepEqual(await problemsOf(draft({ subject: '', htmlBody: '{{#if a}}', textBody: '{{lookup a b}}' })), [
      'subject empty',
      'html_body template_syntax',
      'text_body template_forbidden',
    ])
    assert.deepEqual(await problemsOf(draft({})), ['html_body missing'])
    const shown = await draft({ textBody: '{{a}}' }, { a: 1 })
    assert.deepEqual([shown.source, shown.subject, shown.textBody], [null, 'S', '1'])
    assert.deepEqual([shown.htmlBody, shown.variables, shown.notices], [null, ['a'], []])
  })

  it('generates the text part that a send would have, and none from HTML without text', async () => {
    assert.equal((await draft({ htmlBody: '<p>Hello <b>Ada</b></p>' })).textBody, 'Hello Ada')
    assert.equal((await draft({ htmlBody: '<img src="cid:a" alt="">' })).textBody, null)
  })

  for (const [what, parts, given, expected] of [
    ['a helper that is a value', { textBody: '{{log}}' }, {}, 'text_body template_forbidden'],
    ['the root object', { textBody: '{{@root}}' }, {}, 'text_body template_forbidden'],
    ['a prototype', { textBody: '{{a.constructor.name}}' }, { a: 'x' }, 'text_body unknown_variable'],
    [
      'a property that is not own',
      { textBody: '{{a.toString}}' },
      { a: 'x' },
      'template_vars.a.toString missing_variable',
    ],
    ['the length of a value', { textBody: '{{a.length}}' }, { a: 'x' }, 'template_vars.a.length missing_variable'],
    [
      'a URL that runs code',
      { htmlBody: '<a href="{{a}}">' },
      { a: ' JaVa\tscript:x()' },
      'template_vars.a unsafe_url',
    ],
    [
      'a line break in the subject',
      { subject: '{{a}}', textBody: 'T' },
      { a: 'x\r\nBcc: y' },
      'template_vars.a control_character',
    ],
  ] as const)
    it(`refuses ${what}`, async () => {
      assert.deepEqual(await problemsOf(draft(parts, given)), [expected])
    })

  it('does not run what values contain', async () => {
    const code = '{{#each this}}{{constructor}}{{/each}}<% x %><script>x</script>'
    const { htmlBody } = await draft({ htmlBody: '<p>{{a}}</p>' }, { a: code })
    assert.equal(htmlBody, '<p>{{#each this}}{{constructor}}{{/each}}&lt;% x %&gt;&lt;script&gt;x&lt;/script&gt;</p>')
  })
})

describe('the limits of a preview', () => {
  const items = Array.from({ length: 20_000 }, () => 1)
  // Few steps, so that a busy machine does not reach the limit of time.
  const [longPart, long] = ['{{a}}'.repeat(300), { a: 'x'.repeat(4_000) }]
  const nested = '{{#each a}}{{#each b}}x{{/each}}{{/each}}'

  it('are those of a send: 2 MiB of output, and loops that end', async () => {
    const loop = { textBody: `{{#each a}}${'x'.repeat(200)}{{/each}}` }
    assert.deepEqual(await problemsOf(draft(loop, { a: items })), ['template_vars render_limit'])
    const a = Array.from({ length: 1_000 }, () => ({ b: items.slice(0, 1_000) }))
    assert.deepEqual(await problemsOf(draft({ textBody: nested }, { a })), ['template_vars render_limit'])
  })

  it('apply to all parts together', async () => {
    const shown = await draft({ textBody: longPart }, long)
    assert.equal(shown.textBody?.length, 300 * 4_000)
    const both = draft({ htmlBody: longPart, textBody: longPart }, long)
    assert.deepEqual(await problemsOf(both), ['template_vars render_limit'])
  })

  it('leave the process its event loop iterations while a long preview is rendered', async () => {
    let iterations = 0
    const slices = makeSlices({ sliceMs: 0 })
    const { PreviewDraft } = rig({ slices })
    const count = (): void => {
      iterations += 1
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    const htmlBody = `<p>${longPart}</p>`
    await PreviewDraft({ workspace: 'ws_1', subject: 'S', htmlBody, textBody: null, vars: long })
    clearImmediate(timer)
    assert.ok(iterations > 5, `${iterations} iterations`)
  })
})
