import assert from 'node:assert/strict'
import { renderLimits } from './templateRender.ts'
import { type TemplateVersion, templateCache, templateRenderer } from './templateRenderer.ts'

const template = {
  id: 'tpl_1',
  version: 1,
  subject: 'Hi {{name}}',
  htmlBody: '<p>{{name}} {{code}}',
  textBody: '{{code}}',
}

describe('templateRenderer', () => {
  const { render } = templateRenderer({ elapsed: Date.now })

  it('renders every part, each with its own escaping', () => {
    assert.deepEqual(render(template, { name: '<A>', code: '&' }), {
      ok: true,
      subject: 'Hi <A>',
      html: '<p>&lt;A&gt; &amp;',
      text: '&',
    })
  })

  it('returns null for a part the template does not have', () => {
    const rendered = render({ id: 'tpl_2', version: 1, subject: 's', htmlBody: null, textBody: 't' }, {})
    assert.deepEqual(rendered, { ok: true, subject: 's', html: null, text: 't' })
  })

  it('reports the problems of all parts, each once', () => {
    const rendered = render(template, {})
    assert.deepEqual(!rendered.ok && rendered.problems.map(({ path }) => path), [
      'template_vars.name',
      'template_vars.code',
    ])
  })

  it('applies one budget to all parts together', () => {
    const twice = { id: 'tpl_3', version: 1, subject: 's', htmlBody: '{{a}}', textBody: '{{a}}' }
    const { render } = templateRenderer({ elapsed: Date.now, limits: { ...renderLimits, outputBytes: 100 } })
    assert.ok(render(twice, { a: 'x'.repeat(49) }).ok)
    const rendered = render(twice, { a: 'x'.repeat(60) })
    assert.deepEqual(!rendered.ok && rendered.problems.map(({ code }) => code), ['render_limit'])
  })

  it('parses and renders a large template in steps, and an ordinary one in none', () => {
    const { renderSteps } = templateRenderer({ elapsed: () => 0 })
    const pauses = (version: TemplateVersion, vars: Record<string, unknown>) => [...renderSteps(version, vars)].length
    assert.equal(pauses({ ...template, id: 'tpl_5' }, { name: 'A', code: 1 }), 0)
    const large = { ...template, id: 'tpl_6', htmlBody: '{{name}} '.repeat(4_000) }
    assert.ok(pauses(large, { name: 'A', code: 1 }) > 20)
    assert.ok(pauses(large, { name: 'A', code: 1 }) < 5)
    const loop = { ...template, id: 'tpl_7', htmlBody: '{{#each items}}{{this}}{{/each}}' }
    assert.ok(pauses(loop, { name: 'A', code: 1, items: Array(30_000).fill(1) }) > 10)
  })

  it('renders each version on its own', () => {
    const newer = { ...template, version: 2, subject: 'Bye {{name}}' }
    const rendered = render(newer, { name: 'A', code: 1 })
    assert.equal(rendered.ok && rendered.subject, 'Bye A')
  })

  it('refuses a stored template that today’s rules do not allow', () => {
    const rendered = render({ id: 'tpl_4', version: 1, subject: '{{> x}}', htmlBody: null, textBody: null }, {})
    assert.deepEqual(!rendered.ok && rendered.problems.map(({ path, code }) => `${path} ${code}`), [
      'subject template_forbidden',
    ])
  })
})

describe('templateCache', () => {
  it('drops the least recently used value first, and does not store a value that is too heavy', () => {
    const cache = templateCache<string>(2)
    const stored = () => ['a', 'b', 'c', 'heavy'].filter((key) => cache.get(key) === key)
    cache.set('a', 'a', 1)
    cache.set('b', 'b', 1)
    assert.equal(cache.get('a'), 'a')
    cache.set('c', 'c', 1)
    assert.deepEqual(stored(), ['a', 'c'])
    cache.set('c', 'c', 1)
    assert.deepEqual(stored(), ['a', 'c'])
    cache.set('heavy', 'heavy', 3)
    assert.equal(cache.get('heavy'), undefined)
  })
})
