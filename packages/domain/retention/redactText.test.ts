import assert from 'node:assert/strict'
import { withoutAddressIn } from './redactText.ts'

const gone = 'removed@removed.invalid'

describe('text without an erased address', () => {
  const cases: [text: string, wanted: string][] = [
    ['This key may not send to ann@example.com; use another.', `This key may not send to ${gone}; use another.`],
    ['It is Ann@Example.COM.', `It is ${gone}.`],
    ['“ann@example.com”, <ann@example.com>', `“${gone}”, <${gone}>`],
    ['template_vars.ann@example.com', 'template_vars.ann@example.com'],
    ['template_vars["ann@example.com"]', `template_vars["${gone}"]`],
    [
      'joann@example.com jo.ann@example.com jo+ann@example.com',
      'joann@example.com jo.ann@example.com jo+ann@example.com',
    ],
    [
      'ann@example.com.au ann@example.community ann@example.com-x',
      'ann@example.com.au ann@example.community ann@example.com-x',
    ],
    ['annXexample.com ann@exampleXcom', 'annXexample.com ann@exampleXcom'],
  ]
  for (const [text, wanted] of cases)
    it(`is right for ${text}`, () => {
      assert.equal(withoutAddressIn(text, 'ann@example.com'), wanted)
    })

  it('treats the address as text and not as a pattern', () => {
    assert.equal(withoutAddressIn('a+(b|*)@example.com', 'a+(b|*)@example.com'), gone)
    assert.equal(withoutAddressIn('jürg@example.com JÜRG@example.com', 'jürg@example.com'), `${gone} ${gone}`)
  })
})
