import assert from 'node:assert/strict'
import { knownReplies } from '../../test/support/knownReplies.ts'
import { isReplyWord } from './repliesWords.ts'

/** Number of known replies from which a word counts as frequent. */
const frequent = 10
/** People of examples in known replies. */
const names = ['ada', 'jane']

describe('words of replies', () => {
  it('are all that are frequent in known replies', () => {
    const counts = new Map<string, number>()
    for (const { line } of knownReplies)
      for (const word of new Set(line.toLowerCase().match(/(?<![\p{L}\p{N}_.@+-])[a-z]+(?![\p{L}\p{N}_@+-]|\.\w)/gu)))
        counts.set(word, (counts.get(word) ?? 0) + 1)
    const missing = [...counts].filter(
      ([word, count]) => count >= frequent && !names.includes(word) && !isReplyWord(word),
    )
    assert.deepEqual(missing, [])
  })

  for (const [text, expected] of [
    ['user', true],
    ['Postmaster', true],
    ['apikey', true],
    ['resend', true],
    ['jane', false],
    ['qjwhdfzk', false],
    ['relay-4711', false],
    ['', false],
  ] as const)
    it(`${expected ? 'include' : 'do not include'} "${text}"`, () => assert.equal(isReplyWord(text), expected))
})
