import assert from 'node:assert/strict'
import { assertCpuBelow, assertStepsBelow } from '../../test/support/cost.ts'
import { inOneStep } from '../../test/support/inOneStep.ts'
import type { TemplatePart } from './template.ts'
import { parseTemplateSteps } from './templateParse.ts'
import { renderBudget, renderLimits, renderTemplateSteps } from './templateRender.ts'

const parseTemplate = inOneStep(parseTemplateSteps)
const renderTemplate = inOneStep(renderTemplateSteps)

const render = (
  source: string,
  vars: Record<string, unknown>,
  part: TemplatePart = 'html_body',
  limits = renderLimits,
) => {
  const parsed = parseTemplate(source, part)
  assert.ok(parsed.ok, JSON.stringify(parsed))
  return renderTemplate(parsed.template, vars, renderBudget(Date.now, limits))
}

const output = (source: string, vars: Record<string, unknown>, part: TemplatePart = 'html_body'): string => {
  const rendered = render(source, vars, part)
  assert.ok(rendered.ok, JSON.stringify(rendered))
  return rendered.output
}

const problems = (...args: Parameters<typeof render>): string[] => {
  const rendered = render(...args)
  assert.ok(!rendered.ok, 'was rendered')
  return rendered.problems.map(({ path, code }) => `${code} ${path}`)
}

describe('renderTemplate', () => {
  it('escapes values only in HTML', () => {
    const vars = { v: `<script>&"'\`=` }
    assert.equal(output('{{v}}', vars), '&lt;script&gt;&amp;&quot;&#x27;&#x60;&#x3D;')
    assert.equal(output('{{{v}}}', vars), vars.v)
    assert.equal(output('{{v}}', vars, 'subject'), vars.v)
    assert.equal(output('{{v}}', vars, 'text_body'), vars.v)
  })

  it('prints strings, numbers and booleans, and nothing for null', () => {
    assert.equal(
      output('{{s}} {{n}} {{z}} {{b}} {{nil}}.', { s: 'a', n: 1.5, z: 0, b: false, nil: null }),
      'a 1.5 0 false .',
    )
  })

  it('does not interpret a value as a template', () => {
    assert.equal(output('{{a}}', { a: '{{b}}', b: 'no' }), '{{b}}')
  })

  it('reports every missing name once, with its path', () => {
    const source = '{{a}}{{a}}{{order.total}}{{#if c}}{{d}}{{/if}}{{#each items}}{{name}}{{/each}}'
    const vars = { order: {}, items: [{ name: 1 }, {}], extra: 1 }
    assert.deepEqual(problems(source, vars), [
      'missing_variable template_vars.a',
      'missing_variable template_vars.order.total',
      'missing_variable template_vars.c',
      'missing_variable template_vars.items[1].name',
    ])
  })

  it('needs no values in a branch that is not rendered', () => {
    assert.equal(output('{{#if a}}{{b}}{{else}}x{{/if}}{{#each c}}{{d}}{{/each}}', { a: false, c: [] }), 'x')
  })

  it('accepts null as a value without properties', () => {
    assert.equal(output('{{#if a}}1{{else}}2{{/if}}', { a: null }), '2')
    assert.deepEqual(problems('{{a.b}}', { a: null }), ['missing_variable template_vars.a.b'])
  })

  it('reads only own properties', () => {
    for (const name of ['toString', 'valueOf', 'hasOwnProperty', '__defineGetter__', 'a.length', 'list.map']) {
      assert.deepEqual(problems(`{{${name}}}`, { a: 'text', list: [] }), [`missing_variable template_vars.${name}`])
    }
    assert.equal(output('{{list.length}}', { list: [1, 2] }), '2')
    assert.equal(output('{{a}}', Object.assign(Object.create(null), { a: 1 })), '1')
  })

  it('does not change objects for any name of a value', () => {
    const vars = JSON.parse('{"a":{"__proto__":{"admin":1},"constructor":{"prototype":{"admin":1}}}}')
    output('{{#each a}}{{#if this}}x{{/if}}{{/each}}', vars)
    assert.equal(({} as Record<string, unknown>)['admin'], undefined)
  })

  it('refuses to print objects and arrays, even with a toHTML or toString', () => {
    const vars = { o: { toHTML: 'x', toString: 'y' }, list: [1, 2], items: [{}] }
    assert.deepEqual(problems('{{o}}{{{list}}}{{#each items}}{{this}}{{/each}}', vars), [
      'unprintable_value template_vars.o',
      'unprintable_value template_vars.list',
      'unprintable_value template_vars.items[0]',
    ])
    assert.deepEqual(problems('{{f}}', { f: () => 'x' }), ['unprintable_value template_vars.f'])
  })

  it('iterates over an object in the order of its names', () => {
    assert.equal(output('{{#each o}}{{this}},{{/each}}', { o: { b: 1, a: 2 } }), '1,2,')
    assert.deepEqual(problems('{{#each o}}{{x}}{{/each}}', { o: { b: {} } }), ['missing_variable template_vars.o.b.x'])
  })

  it('refuses line breaks and control characters in a value for the subject', () => {
    for (const v of ['a\r\nBcc: e@z', '\n', 'a\0', '\u2028', '\x85']) {
      assert.deepEqual(problems('Hi {{v}}', { v }, 'subject'), ['control_character template_vars.v'])
      assert.equal(output('Hi {{v}}', { v }, 'text_body'), `Hi ${v}`)
    }
  })

  it('refuses a subject of more than 998 characters', () => {
    assert.equal(output('{{v}}', { v: 'a'.repeat(998) }, 'subject').length, 998)
    assert.deepEqual(problems('{{v}}', { v: 'a'.repeat(999) }, 'subject'), ['too_long subject'])
  })
})

describe('a URL in HTML', () => {
  it('must not start with a value that runs as code', () => {
    for (const v of [
      'javascript:alert(1)',
      ' JavaScript:x',
      'java\tscript:x',
      '\x01javascript:x',
      'data:text/html,x',
      'vbscript:x',
    ]) {
      for (const source of ['<a href="{{v}}">', "<img src='{{v}}'>", '<a href={{v}}>', '<A HREF = "{{{v}}}">']) {
        assert.deepEqual(problems(source, { v }), ['unsafe_url template_vars.v'], `${source} ${v}`)
      }
    }
  })

  it('is checked across several values, blocks and content', () => {
    const split = { a: 'java', b: 'script:x', s: 'javascript', nil: null, t: true }
    assert.deepEqual(problems('<a href="{{a}}{{b}}">', split), ['unsafe_url template_vars.b'])
    assert.deepEqual(problems('<a href="{{s}}:{{b}}">', split), ['unsafe_url template_vars.s'])
    assert.deepEqual(problems('<a href="{{nil}}{{#if t}}{{a}}{{/if}}{{b}}">', split), ['unsafe_url template_vars.b'])
  })

  it('may start with any other value and contain anything later', () => {
    const v = 'javascript:x'
    assert.equal(output('<a href="{{u}}">', { u: 'https://example.com/?a' }), '<a href="https://example.com/?a">')
    for (const source of ['<a href="https://x.test/{{v}}">', '<p title="{{v}}">', '{{v}}', '<a data-href="{{v}}">']) {
      assert.ok(output(source, { v }))
    }
    assert.equal(output('href="{{v}}"', { v }, 'text_body'), `href="${v}"`)
  })
})

const cube = (side: number): number[][][] =>
  Array.from({ length: side }, () => Array.from({ length: side }, () => Array.from({ length: side }, () => 1)))

describe('a template made to stall the renderer', () => {
  const many = Array.from({ length: 30_000 }, () => 1)
  const cases: [name: string, source: string, vars: Record<string, unknown>][] = [
    ['an empty loop, again and again', '{{#each a}}{{/each}}'.repeat(2000), { a: many }],
    ['a loop over an object, again and again', '{{#each a}}{{/each}}'.repeat(2000), { a: { ...many } }],
    ['loops in loops', '{{#each a}}{{#each this}}{{#each this}}x{{/each}}{{/each}}{{/each}}', { a: cube(100) }],
    ['a loop that prints much', `{{#each a}}${'x'.repeat(1000)}{{/each}}`, { a: many }],
    ['a value of 10 MB', '{{a}}', { a: '<'.repeat(10_000_000) }],
    ['a value of 2 MB that is escaped', '{{a}}', { a: "'".repeat(2_000_000) }],
    ['a large value, again and again', '{{a}}'.repeat(4000), { a: '&'.repeat(60_000) }],
  ]
  for (const [name, source, vars] of cases) {
    it(`ends with render_limit within 500 ms of CPU: ${name}`, () =>
      assertCpuBelow(500, () => assert.deepEqual(problems(source, vars), ['render_limit template_vars'])))

    // A request may have values of at most 64 KiB.
    if (JSON.stringify(vars).length <= 64 * 1_024) {
      it(`never blocks the process: ${name}`, () => {
        const parsed = parseTemplate(source, 'html_body')
        assert.ok(parsed.ok)
        return assertStepsBelow(40, () => renderTemplateSteps(parsed.template, vars, renderBudget(Date.now)))
      })
    }
  }

  it('does not count the time of pauses', () => {
    const parsed = parseTemplate('{{#each a}}{{this}}{{/each}}', 'html_body')
    assert.ok(parsed.ok)
    let time = 0
    const steps = renderTemplateSteps(
      parsed.template,
      { a: many },
      renderBudget(() => time),
    )
    let pauses = 0
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) {
        assert.ok(step.value.ok)
        break
      }
      time += 1_000
      pauses += 1
    }
    assert.ok(pauses > 10)
  })

  it('is stopped by the clock if its steps are slow', () => {
    const parsed = parseTemplate('{{#each a}}{{this}}{{/each}}', 'html_body')
    assert.ok(parsed.ok)
    let time = 0
    const slow = renderBudget(() => (time += 60))
    const rendered = renderTemplate(parsed.template, { a: many }, slow)
    assert.ok(!rendered.ok && rendered.problems[0]?.code === 'render_limit')
  })

  it('is limited in bytes of output', () => {
    const limits = { ...renderLimits, outputBytes: 4 }
    assert.ok(render('{{a}}', { a: 'éé' }, 'text_body', limits).ok)
    assert.deepEqual(problems('{{a}}', { a: 'ééé' }, 'text_body', limits), ['render_limit template_vars'])
  })

  it('reports at most 100 missing names', () => {
    const items = Array.from({ length: 1000 }, () => ({}))
    assert.equal(problems('{{#each items}}{{a}}{{/each}}', { items }).length, 100)
  })
})
