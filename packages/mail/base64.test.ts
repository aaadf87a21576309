import assert from 'node:assert/strict'
import { base64Steps } from './base64.ts'
import { finish } from './steps.ts'

const decode = (text: string): Buffer | null => finish(base64Steps(text))
/** Text that needs more than two steps and has no padding. */
const long = Buffer.alloc(450_000, 'Postrider').toString('base64')

describe('base64', () => {
  for (const length of [0, 1, 2, 3, 4, 100, 196_607, 196_608, 196_609, 196_610, 450_001]) {
    it(`is decoded exactly: ${length} bytes`, () => {
      const bytes = Buffer.alloc(length, 'a\u0000ÿ')
      assert.deepEqual(decode(bytes.toString('base64')), bytes)
    })
  }

  for (const [name, text] of [
    ['has no padding', 'QQ'],
    ['has line breaks', 'QUJD\r\nQUJD'],
    ['has a space', 'QUJ DQUJ'],
    ['is base64url', 'QUJ-QUJ_'],
    ['has padding inside', 'QQ==QUJD'],
    ['has too much padding', 'Q==='],
    ['has other characters', 'QUJ*'],
    ['has a fault in its first step', `Q*JD${long}`],
    ['has padding at the end of its first step', `${long.slice(0, 262_142)}==${long}`],
    ['has a fault in its last step', `${long}QU*D`],
  ] as const) {
    it(`is refused when it ${name}`, () => {
      assert.equal(decode(text), null)
    })
  }

  it('takes several steps when it is long', () => {
    const steps = base64Steps(long)
    let count = 1
    while (!steps.next().done) count++
    assert.equal(count, 3)
  })
})
