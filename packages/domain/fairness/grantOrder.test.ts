import assert from 'node:assert/strict'
import {
  compareTurns,
  type Demand,
  firstInOrder,
  firstThatFits,
  inTurn,
  isRoomFor,
  isWithinPart,
  mayPass,
  mayReclaim,
  mustWait,
} from './grantOrder.ts'

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
  const cases: [name: string, demand: Demand, earlier: Demand, waits: boolean][] = [
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
    it(`a share ${name}`, () => assert.equal(mustWait(one, [earlier], part), expected))
})

describe('next demand that is served', () => {
  const freeBytes = (free: number, atPart: readonly string[] = []) => ({
    isFree: ({ bytes }: Demand) => bytes <= free,
    mayTake: ({ owner, bytes, isOverOwnLimit }: Demand) => bytes <= free && !isOverOwnLimit && !atPart.includes(owner),
  })
  const [large, small] = [demand('large', { bytes: 300 }), demand('small')]
  const atLimit = demand('full', { isOverOwnLimit: true })

  it('is the first to arrive, which waits until its bytes are free', () => {
    assert.equal(firstInOrder([large, small], freeBytes(300)), large)
    assert.equal(firstInOrder([large, small], freeBytes(299)), undefined)
    assert.equal(firstInOrder([], freeBytes(300)), undefined)
  })

  it('is the one after an owner at its limit or part, but none of the same owner', () => {
    const later = demand('full', { bytes: 1 })
    assert.equal(firstInOrder([atLimit, later, small], freeBytes(50)), small)
    assert.equal(firstInOrder([atLimit, later], freeBytes(50)), undefined)
    assert.equal(firstInOrder([small, large], freeBytes(300, ['small'])), large)
  })

  it('is the first in turn that fits, except one above its part that has to wait', () => {
    assert.equal(firstThatFits([large, small], freeBytes(300), part), small)
    assert.equal(firstThatFits([large], freeBytes(300), part), large)
    const other = demand('other', { bytes: 200, turn: 1 })
    assert.equal(firstThatFits([large, other], freeBytes(200), part), undefined)
    assert.equal(firstThatFits([large, other, small], freeBytes(200), part), small)
  })
})

describe('new demand', () => {
  const large = demand('large', { bytes: 300, turn: 1 })
  it('passes waiting ones within its part, or if its turn is earlier', () => {
    assert.equal(mayPass(demand('small'), [large], part), true)
    assert.equal(mayPass(demand('other', { bytes: 200, turn: 2 }), [large], part), false)
    assert.equal(mayPass(demand('other', { bytes: 200 }), [large], part), true)
  })
})

describe('waiting demand', () => {
  const large = demand('large', { bytes: 300 })
  const other = demand('other', { bytes: 200, turn: 1 })
  it('ends shares within its part, at its limit, or as the first in turn', () => {
    const [within, atLimit] = [
      demand('small', { turn: 2 }),
      demand('full', { bytes: 200, turn: 2, isOverOwnLimit: true }),
    ]
    assert.equal(mayReclaim(within, [large, within], part), true)
    assert.equal(mayReclaim(atLimit, [large, atLimit], part), true)
    assert.equal(mayReclaim(large, [other, large], part), true)
    assert.equal(mayReclaim(other, [other, large], part), false)
  })

  it('has room only in bytes of its owner if that is at its limit', () => {
    assert.equal(isRoomFor('other', large), true)
    assert.equal(isRoomFor('other', { ...large, isOverOwnLimit: true }), false)
    assert.equal(isRoomFor('large', { ...large, isOverOwnLimit: true }), true)
  })
})
