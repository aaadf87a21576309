import assert from 'node:assert/strict'
import { unknownNameMessage } from './nameHints.ts'

describe('hint for an unknown name', () => {
  const known = ['to', 'from_', 'reply_to', 'subject', 'html', 'text', 'template_id', 'template_vars', 'scheduled_at']
  const table: [name: string, hint: string][] = [
    ['from', 'did you mean from_?'],
    ['replyTo', 'did you mean reply_to?'],
    ['subjcet', 'did you mean subject?'],
    ['variables', 'did you mean template_vars?'],
    ['body', 'did you mean text or html?'],
    ['send_at', 'did you mean scheduled_at?'],
    ['html_body', `known names are ${known.join(', ')}.`],
    ['constructor', `known names are ${known.join(', ')}.`],
  ]
  for (const [name, hint] of table) {
    it(`for ${name} is: ${hint.slice(0, 40)}`, () => {
      assert.equal(unknownNameMessage(name, known), `This name is unknown; ${hint}`)
    })
  }

  it('names the body fields of a template', () => {
    const message = unknownNameMessage('html', ['name', 'subject', 'html_body', 'text_body'])
    assert.match(message, /did you mean html_body\?$/)
  })
})
