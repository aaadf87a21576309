import assert from 'node:assert/strict'
import { findingsOf, indexOf, missingOf } from './positions.ts'

describe('positions in a template', () => {
  it('come from the messages of the API', () => {
    const errors = [
      { path: 'html_body', code: 'template_syntax', message: 'Line 2, column 14: the tag has no name.' },
      { path: 'subject', code: 'too_long', message: 'Must be at most 524288 bytes.' },
      { path: 'template_vars.link', code: 'unsafe_url', message: 'This URL is not safe.' },
    ]
    assert.deepEqual(findingsOf({ errors, detail: 'Refused.' }), [
      { part: 'html_body', line: 2, column: 14, message: 'The tag has no name.' },
      { part: 'subject', line: null, column: null, message: 'Must be at most 524288 bytes.' },
      { part: null, line: null, column: null, message: 'template_vars.link: This URL is not safe.' },
    ])
    assert.deepEqual(findingsOf({ errors: [], detail: 'Too many requests.' }), [
      { part: null, line: null, column: null, message: 'Too many requests.' },
    ])
  })

  it('have an index in the text, which never leaves their line', () => {
    const text = 'ab\n\ncde'
    assert.deepEqual(
      [indexOf(text, 1, 1), indexOf(text, 1, 9), indexOf(text, 2, 1), indexOf(text, 3, 3), indexOf(text, 9, 1)],
      [0, 2, 3, 6, 7],
    )
  })

  it('lead to the placeholders without a value', () => {
    const message = 'The template needs a value for this.'
    const errors = [
      { path: 'template_vars.name', code: 'missing_variable', message },
      { path: 'template_vars.link', code: 'unsafe_url', message },
    ]
    assert.deepEqual(missingOf({ errors }), ['name'])
  })
})
