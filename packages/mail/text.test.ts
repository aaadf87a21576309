import assert from 'node:assert/strict'
import { hasEncodedWord, nameProblem, textProblem } from './text.ts'

const cases: [text: string, inText: string | null, inName: string | null][] = [
  ['', null, null],
  ['Your order 17 has shipped', null, null],
  ['Größe, 東京, 👩‍👩‍👧', null, null],
  ['hi\r\nBcc: e@z', 'control_character', 'control_character'],
  ['hi\n', 'control_character', 'control_character'],
  ['a\rb', 'control_character', 'control_character'],
  ['a\0b', 'control_character', 'control_character'],
  ['a\tb', 'control_character', 'control_character'],
  ['a\x7fb', 'control_character', 'control_character'],
  ['a\x85b', 'control_character', 'control_character'],
  ['a\u2028b', 'control_character', 'control_character'],
  ['a\u202eb', null, 'control_character'],
  ['a\u2066b', null, 'control_character'],
  ['a\u200bb', null, 'control_character'],
  // Regression: these were allowed: an operator without a sign, a switch of mirrored signs, and marks of an annotation.
  ['pay\u2063pal', null, 'control_character'],
  ['a\u206ab', null, 'control_character'],
  ['a\ufff9b\ufffac\ufffb', null, 'control_character'],
  ['Ann 👩\u200d👧, نامه\u200cای, 葛\u{e0100}', null, null],
  ['שלום\u200f!', null, 'control_character'],
  ['a\ud800b', 'lone_surrogate', 'lone_surrogate'],
  ['\udc00', 'lone_surrogate', 'lone_surrogate'],
]

describe('texts for headers', () => {
  for (const [text, inText, inName] of cases) {
    it(`${JSON.stringify(text)}: ${inText ?? 'allowed'} in a text, ${inName ?? 'allowed'} in a name`, () => {
      assert.equal(textProblem(text)?.code ?? null, inText)
      assert.equal(nameProblem(text)?.code ?? null, inName)
    })
  }
})

describe('hasEncodedWord', () => {
  const cases: [text: string, expected: boolean][] = [
    ['=?utf-8?q?a?=', true],
    ['a =?ISO-8859-1*en?B?eA==?= b', true],
    ['=?utf-8?q?a b?=', true],
    // Python's email.header decodes these.
    ['=?utf-8?q?a?b?=', true],
    ['=??q?a?=', true],
    ['=? utf-8 ?q?a?=', true],
    ['=?a?=', false],
    ['=?utf-8?x?a?=', false],
    ['=?utf-8?q?a', false],
    ['a=?b', false],
    ['?=', false],
  ]
  for (const [text, expected] of cases) it(`${expected}: ${text}`, () => assert.equal(hasEncodedWord(text), expected))
})
