import assert from 'node:assert/strict'
import { type parseTypeId, toUUIDBytes } from 'typeid-js'
import { derivedId, idOf, isId, makeIds, newId } from './ids.ts'

const bytesOf = (id: string): Buffer => Buffer.from(toUUIDBytes(id as Parameters<typeof parseTypeId>[0]))
const at = 1_790_000_000_123
const made = (count: number, now: () => number = () => at): string[] => {
  const ids = makeIds(now)
  return Array.from({ length: count }, () => ids('em'))
}
const timeOf = (id: string): number => bytesOf(id).readUIntBE(0, 6)

describe('new ids', () => {
  it('are TypeIDs of a UUIDv7 with the time of their creation', () => {
    for (const id of [newId('em'), ...made(200)]) {
      assert.ok(isId('em', id), id)
      const bytes = bytesOf(id)
      assert.equal(bytes.readUInt8(6) >> 4, 7, 'version')
      assert.equal(bytes.readUInt8(8) >> 6, 2, 'variant')
      assert.equal(idOf('em', timeOf(id), bytes.subarray(6)), id)
    }
    for (const time of [0, 1, at, 2 ** 48 - 1]) assert.deepEqual(made(3, () => time).map(timeOf), [time, time, time])
  })

  it('sort by creation and never repeat, even when the counter of a millisecond is full', () => {
    const ids = made(100_000)
    assert.deepEqual(ids.toSorted(), ids)
    assert.equal(new Set(ids).size, ids.length)
    const lead = timeOf(ids.at(-1) ?? '') - at
    assert.ok(lead >= 6 && lead <= 12, `the time of ids is ${lead} ms ahead`)
  })

  it('ignore a clock that goes back slightly, and follow a clock that goes back far', () => {
    const clock = [at, at - 1, at - 9_999, at - 10_001, at - 10_000, at]
    const times = made(6, () => clock.shift() ?? assert.fail()).map(timeOf)
    assert.deepEqual(times, [at, at, at, at - 10_001, at - 10_000, at])
  })

  it('have 60 random bits that do not follow from each other', () => {
    const tails = made(4_000).map((id) => bytesOf(id).subarray(8))
    for (let bit = 4; bit < 64; bit++) {
      const ones = tails.filter((tail) => ((tail[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1).length
      // 4,000 throws of a coin are outside of this range once in 10^21 times.
      assert.ok(ones > 1_700 && ones < 2_300, `bit ${bit} is 1 in ${ones} of 4,000 ids`)
    }
    assert.equal(new Set(tails.map((tail) => tail.toString('hex'))).size, 4_000)
  })
})

describe('derived ids', () => {
  // Stored events and emails have such ids: another derivation would store them a second time.
  it('equal those of earlier releases', () => {
    assert.equal(derivedId('evt', at, 'quota ws_1 2026-11 10 80'), 'evt_01m3250v3vf8bbnqwwneywsy9w')
    assert.equal(derivedId('em', 0, 'system mail 1'), 'em_0000000000fbp86st81e1c5bge')
    assert.equal(derivedId('evt', at, 'sign-in', Buffer.from([1, 2, 255])), 'evt_01m3250v3vfd8bdaq2xrj0faqr')
  })

  it('do not depend on whether the bytes are given as text', () => {
    assert.equal(derivedId('evt', at, 'sign-in', '1'), derivedId('evt', at, 'sign-', Buffer.from('in1')))
  })
})
