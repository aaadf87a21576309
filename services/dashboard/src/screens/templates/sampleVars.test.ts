import assert from 'node:assert/strict'
import { sampleVars, withSamples } from './sampleVars.ts'

const samplesOf = (html_body: string, subject = '') => sampleVars({ subject, html_body, text_body: '' })

describe('sample values of a template', () => {
  it('name each placeholder of each part', () => {
    assert.deepEqual(samplesOf('{{ order-id }} {{{raw}}} {{~a.b~}} <a href="{{link}}">', '{{name}}'), {
      name: 'name',
      'order-id': 'order-id',
      raw: 'raw',
      a: { b: 'b' },
      link: 'https://example.com/',
    })
  })

  it('are true for conditions, and lists of two for loops', () => {
    assert.deepEqual(samplesOf('{{#if vip}}Hello {{name}}{{else if old}}-{{/if}}{{#unless off}}{{/unless}}'), {
      vip: true,
      name: 'name',
      old: true,
      off: true,
    })
    const item = { title: 'title', tags: ['first', 'second'] }
    assert.deepEqual(samplesOf('{{#each cart.items}}{{title}}{{#each tags}}{{this}}{{/each}}{{else}}-{{/each}}'), {
      cart: { items: [item, item] },
    })
    assert.deepEqual(samplesOf('{{#each a}}{{#if this.b}}{{c}}{{/if}}{{/each}}'), {
      a: [
        { b: true, c: 'c' },
        { b: true, c: 'c' },
      ],
    })
  })

  it('are a list for a name that is also a condition', () => {
    assert.deepEqual(samplesOf('{{#if items}}{{#each items}}{{this}}{{/each}}{{/if}}'), { items: ['first', 'second'] })
    assert.deepEqual(samplesOf('{{#each items}}{{this}}{{/each}}{{#unless items}}-{{/unless}}'), {
      items: ['first', 'second'],
    })
  })

  it('leave out comments, printed braces and names that lead into the language', () => {
    assert.deepEqual(samplesOf('{{! note }}{{!-- {{no}} --}}\\{{name}} \\\\{{shown}} {{__proto__.x}}'), {
      shown: 'shown',
    })
    assert.equal(({} as { x?: unknown }).x, undefined)
  })

  it('are added where a value is missing, and change no value', () => {
    const samples = { name: 'name', order: { id: 'id', total: 'total' }, items: [{ title: 'title', price: 'price' }] }
    const entered = { name: null, order: { id: 7 }, items: [{ title: 'Tea' }, 3], other: 1 }
    assert.deepEqual(withSamples(entered, samples), {
      name: null,
      order: { id: 7, total: 'total' },
      items: [{ title: 'Tea', price: 'price' }, 3],
      other: 1,
    })
  })
})
