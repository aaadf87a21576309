import assert from 'node:assert/strict'
import { compareTurns, type Demand, inTurn, isBehind, isWithinPart } from './grantOrder.ts'

const part = 100
const demand = (owner: string, over: Partial<Demand> = {}): Demand => ({
  owner,
  bytes: 10,
  reserved: 0,
  reservedByOwner: 0,
  isOverOwnLimit: false,
  turn: 0,
  ...over,
})

describe('turns of owners that wait for bytes', () => {
  it('come to those within their part first, then to those that hold nothing, then to the others', () => {
    const above = demand('above', { reserved: 95, reservedByOwner: 95 })
    const large = demand('large', { bytes: 300, turn: 1 })
    const within = demand('within', { reserved: 90, reservedByOwner: 90, turn: 2 })
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
    const [early, late] = [demand('early', { turn: 3, bytes: 50 }), demand('late', { turn: 4 })]
    assert.ok(compareTurns(early, late, part) < 0)
    assert.ok(compareTurns(demand('less'), demand('more', { bytes: 11 }), part) < 0)
  })

  it('are one for each owner, in the order in which its shares arrived', () => {
    const [first, second] = [demand('one', { bytes: 90 }), demand('one', { bytes: 1 })]
    assert.deepEqual(inTurn([first, demand('two'), second], part), [demand('two'), first])
  })

  const large = demand('large', { bytes: 300 })
  const cases: [name: string, demand: Demand, earlier: Demand, isBehind: boolean][] = [
    ['within its part passes', demand('small'), large, false],
    ['above its part and without bytes waits', demand('other', { bytes: 200 }), large, true],
    [
      'passes one whose owner is at its limit',
      demand('other', { bytes: 200 }),
      { ...large, isOverOwnLimit: true },
      false,
    ],
    ['passes another share of its owner', demand('large', { bytes: 200 }), large, false],
    [
      'passes one that reserves bytes and is above its part',
      demand('other', { bytes: 200 }),
      demand('full', { reserved: 95, reservedByOwner: 95 }),
      false,
    ],
    [
      'with bytes waits for an owner that will hold less than its own',
      demand('owner', { reserved: 350, reservedByOwner: 350 }),
      large,
      true,
    ],
    [
      'with bytes passes an owner that would hold more',
      demand('owner', { reserved: 250, reservedByOwner: 250 }),
      large,
      false,
    ],
  ]
  for (const [name, one, earlier, expected] of cases)
    it(`a share ${name}`, () => assert.equal(isBehind(one, [earlier], part), expected))
})
