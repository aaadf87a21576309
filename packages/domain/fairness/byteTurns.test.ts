import assert from 'node:assert/strict'
import { type Claimant, compareTurns, inTurn, isBehind, isWithinPart } from './byteTurns.ts'

const part = 100
const claimant = (owner: string, over: Partial<Claimant> = {}): Claimant => ({
  owner,
  bytes: 10,
  held: 0,
  heldByOwner: 0,
  isOverOwnLimit: false,
  turn: 0,
  ...over,
})

describe('turns of owners that wait for bytes', () => {
  it('come to those within their part first, then to those that hold nothing, then to the others', () => {
    const above = claimant('above', { held: 95, heldByOwner: 95 })
    const large = claimant('large', { bytes: 300, turn: 1 })
    const within = claimant('within', { held: 90, heldByOwner: 90, turn: 2 })
    const line = inTurn([above, large, within], part)
    assert.deepEqual(
      line.map(({ owner }) => owner),
      ['within', 'large', 'above'],
    )
    assert.deepEqual(
      line.map((one) => isWithinPart(one, part)),
      [true, false, false],
    )
  })

  it('come to the owner that was served least recently, then to the one that will hold less', () => {
    const [early, late] = [claimant('early', { turn: 3, bytes: 50 }), claimant('late', { turn: 4 })]
    assert.ok(compareTurns(early, late, part) < 0)
    assert.ok(compareTurns(claimant('less'), claimant('more', { bytes: 11 }), part) < 0)
  })

  it('are one for each owner, in the order in which its shares arrived', () => {
    const [first, second] = [claimant('one', { bytes: 90 }), claimant('one', { bytes: 1 })]
    assert.deepEqual(inTurn([first, claimant('two'), second], part), [claimant('two'), first])
  })

  const large = claimant('large', { bytes: 300 })
  const cases: [name: string, claimant: Claimant, earlier: Claimant, isBehind: boolean][] = [
    ['within its part passes', claimant('small'), large, false],
    ['above its part and without bytes waits', claimant('other', { bytes: 200 }), large, true],
    [
      'passes one whose owner is at its limit',
      claimant('other', { bytes: 200 }),
      { ...large, isOverOwnLimit: true },
      false,
    ],
    ['passes another share of its owner', claimant('large', { bytes: 200 }), large, false],
    [
      'passes one that holds bytes and is above its part',
      claimant('other', { bytes: 200 }),
      claimant('full', { held: 95, heldByOwner: 95 }),
      false,
    ],
    [
      'with bytes waits for an owner that will hold less than its own',
      claimant('holder', { held: 350, heldByOwner: 350 }),
      large,
      true,
    ],
    [
      'with bytes passes an owner that would hold more',
      claimant('holder', { held: 250, heldByOwner: 250 }),
      large,
      false,
    ],
  ]
  for (const [name, one, earlier, expected] of cases)
    it(`a share ${name}`, () => assert.equal(isBehind(one, [earlier], part), expected))
})
