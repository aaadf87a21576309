import assert from 'node:assert/strict'
import { unknownNames } from './didYouMean.ts'

describe('a name nobody knows', () => {
  const known = ['to', 'from_', 'reply_to', 'subject', 'html', 'text', 'template_id', 'template_vars', 'scheduled_at']
  const table: [name: string, hint: string][] = [
    ['from', 'did you mean from_?'],
    ['replyTo', 'did you mean reply_to?'],
    ['subjcet', 'did you mean subject?'],
    ['variables', 'did you mean template_vars?'],
    ['body', 'did you mean text or html?'],
    ['send_at', 'did you mean scheduled_at?'],
    ['html_body', `known here are ${known.join(', ')}.`],
    ['constructor', `known here are ${known.join(', ')}.`],
  ]
  for (const [name, hint] of table) {
    it(`${name} is answered: ${hint.slice(0, 40)}`, () => {
      assert.deepEqual(unknownNames([name], known), [{ name, message: `This name is unknown; ${hint}` }])
    })
  }

  it('names what a template calls its parts', () => {
    const [found] = unknownNames(['html'], ['name', 'subject', 'html_body', 'text_body'])
    assert.match(found?.message ?? '', /did you mean html_body\?$/)
  })
})
