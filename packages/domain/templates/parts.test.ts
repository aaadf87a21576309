import assert from 'node:assert/strict'
import { missingBodyProblems, namingProblems, partProblems } from './parts.ts'

const codesOf = (problems: readonly { path: string; code: string }[]): string[] =>
  problems.map(({ path, code }) => `${path} ${code}`)

describe('parts of a template', () => {
  it('are a subject and at least one body', () => {
    assert.deepEqual(codesOf(partProblems({ subject: 'Hi', htmlBody: null, textBody: '' })), [])
    assert.deepEqual(codesOf(partProblems({ subject: '', htmlBody: null, textBody: null })), [
      'subject empty',
      'html_body missing',
    ])
  })

  it('may lack one body in a request', () => {
    assert.deepEqual(missingBodyProblems(undefined, 'text'), [])
    assert.deepEqual(codesOf(missingBodyProblems(undefined, null)), ['html_body missing'])
  })
})

describe('name of a template', () => {
  it('has 1 to 255 characters, however long they are in UTF-16', () => {
    assert.deepEqual(namingProblems({ name: '😀'.repeat(255) }), [])
    assert.deepEqual(codesOf(namingProblems({ name: 'a'.repeat(256) })), ['name too_long'])
    assert.deepEqual(codesOf(namingProblems({ name: ' ' })), ['name empty'])
  })

  it('is checked together with the alias', () => {
    assert.deepEqual(codesOf(namingProblems({ name: 'a\nb', alias: 'preview' })), [
      'name control_character',
      'alias invalid_alias',
    ])
  })
})
