import assert from 'node:assert/strict'
import { oneOf, optionalText, present, safeNext } from './search.ts'

describe('values of the URL', () => {
  it('reads texts, and numbers as texts', () => {
    assert.equal(optionalText('a'), 'a')
    assert.equal(optionalText(42), '42')
    for (const value of ['', undefined, null, {}, ['a']]) assert.equal(optionalText(value), undefined)
  })

  it('accepts only known values', () => {
    assert.equal(oneOf('b', ['a', 'b']), 'b')
    assert.equal(oneOf('c', ['a', 'b']), undefined)
  })

  it('leaves out absent values', () => assert.deepEqual(present({ a: 1, b: undefined }), { a: 1 }))
})

describe('path after a login', () => {
  it('continues with a path of this site', () => {
    assert.equal(safeNext('/emails/em_1?tab=raw'), '/emails/em_1?tab=raw')
    assert.equal(safeNext('/emails?q=a%26b#top'), '/emails?q=a%26b')
  })

  for (const path of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'https:evil.example',
    'evil',
    ' //evil',
    '',
  ])
    it(`refuses ${JSON.stringify(path)}`, () => assert.equal(safeNext(path), undefined))

  it('refuses a path with a tab or line break, which browsers remove', () => {
    assert.equal(safeNext('/\t/evil.example'), undefined)
    assert.equal(safeNext('/\n\\evil.example'), undefined)
  })

  it('leaves out the pages that a login leads to anyway', () => {
    assert.equal(safeNext('/'), undefined)
    assert.equal(safeNext('/login?next=/emails'), undefined)
  })
})
