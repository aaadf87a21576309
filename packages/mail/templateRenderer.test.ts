import assert from 'node:assert/strict'
import { renderLimits } from './templateRender.ts'
import { templateCache, templateRenderer } from './templateRenderer.ts'

const template = {
  id: 'tpl_1',
  version: 1,
  subject: 'Hi {{name}}',
  html_body: '<p>{{name}} {{code}}',
  text_body: '{{code}}',
}

describe('templateRenderer', () => {
  const { render } = templateRenderer({ now: Date.now })

  it('renders every part, each with its own escaping', () => {
    assert.deepEqual(render(template, { name: '<A>', code: '&' }), {
      ok: true,
      subject: 'Hi <A>',
      html: '<p>&lt;A&gt; &amp;',
      text: '&',
    })
  })

  it('returns null for a part the template does not have', () => {
    const rendered = render({ id: 'tpl_2', version: 1, subject: 's', text_body: 't' }, {})
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
    const twice = { id: 'tpl_3', version: 1, subject: 's', html_body: '{{a}}', text_body: '{{a}}' }
    const { render } = templateRenderer({ now: Date.now, limits: { ...renderLimits, outputBytes: 100 } })
    assert.ok(render(twice, { a: 'x'.repeat(49) }).ok)
    const rendered = render(twice, { a: 'x'.repeat(60) })
    assert.deepEqual(!rendered.ok && rendered.problems.map(({ code }) => code), ['render_limit'])
  })

  it('renders each version on its own', () => {
    const newer = { ...template, version: 2, subject: 'Bye {{name}}' }
    const rendered = render(newer, { name: 'A', code: 1 })
    assert.equal(rendered.ok && rendered.subject, 'Bye A')
  })

  it('refuses a stored template that today’s rules do not allow', () => {
    const rendered = render({ id: 'tpl_4', version: 1, subject: '{{> x}}' }, {})
    assert.deepEqual(!rendered.ok && rendered.problems.map(({ path, code }) => `${path} ${code}`), [
      'subject template_forbidden',
    ])
  })
})

describe('templateCache', () => {
  const made: string[] = []
  const maker = (value: string, weight = 1) => ({
    value,
    make: () => {
      made.push(value)
      return { value, weight }
    },
  })

  it('makes each value once, drops the least recently used, and does not store a value that is too heavy', () => {
    const cache = templateCache<string>(2)
    const get = (key: string, weight = 1) => cache.get(key, maker(key, weight).make)
    for (const key of ['a', 'b', 'a', 'c', 'a']) assert.equal(get(key), key)
    assert.deepEqual(made.splice(0), ['a', 'b', 'c'])
    get('b')
    assert.deepEqual(made.splice(0), ['b'])
    for (const key of ['a', 'b']) get(key)
    assert.deepEqual(made.splice(0), [])
    get('heavy', 3)
    get('heavy', 3)
    assert.deepEqual(made.splice(0), ['heavy', 'heavy'])
  })
})
