import assert from 'node:assert/strict'
import { finish } from '@postrider/mail/steps.ts'
import { assertStepsBelow } from '../../../test/support/cost.ts'
import { utf8Steps } from './utf8Steps.ts'

describe('utf8Steps', () => {
  for (const texts of [
    [],
    [''],
    ['a', 'é€', ''],
    ['\u{1f600}'.repeat(300_000)],
    [`a${'\u{1f600}'.repeat(300_000)}`, 'b'],
  ])
    it(`encodes ${texts.map((text) => text.length).join(' and ') || 'no'} characters as UTF-8`, () => {
      assert.ok(finish(utf8Steps(texts)).equals(Buffer.from(texts.join(''))))
    })

  it('returns a long text in UTF-8 with pauses, and does not divide a surrogate pair', () => {
    const text = `${'é'.repeat(65_535)}😀${'x'.repeat(70_000)}`
    const steps = utf8Steps([text])
    let count = 0
    let step = steps.next()
    for (; !step.done; step = steps.next()) count++
    assert.equal(step.value.toString(), text)
    assert.equal(count, 3)
  })

  it('encodes long texts in short steps', async () => {
    for (const text of ['a', 'é', '€', '\u{1f600}'])
      await assertStepsBelow(50, () => utf8Steps([text.repeat(6 * 2 ** 20), '€', text.repeat(2 ** 20)]))
    await assertStepsBelow(50, () => utf8Steps(Array(500_000).fill('€')))
  })
})
