import assert from 'node:assert/strict'
import { storeTime } from './storeTime.ts'

/** A look whose answer took `wayMs`, half of it there: the store's clock said `storeMs` in the middle. */
const look = (at: number, storeMs: number, wayMs = 2) => ({
  askedAt: at - wayMs / 2,
  answeredAt: at + wayMs / 2,
  storeMs,
})

describe('the store’s time', () => {
  it('ticks with the steady clock between looks', () => {
    const time = storeTime()
    time.look(look(100, 1_000_000))
    assert.equal(time.at(100), 1_000_000)
    assert.equal(time.at(150.9), 1_000_050)
    assert.equal(time.at(3_600_100), 4_600_000, 'an hour without a look')
  })

  it('the look with the shortest way is believed', () => {
    const time = storeTime()
    time.look(look(100, 1_000_000, 2))
    time.look(look(10_100, 1_010_400, 900))
    assert.equal(time.at(10_100), 1_010_000)
    time.look(look(20_100, 1_020_001, 1))
    assert.equal(time.at(20_100), 1_020_001)
  })

  it('a look is believed for a minute', () => {
    const time = storeTime()
    time.look(look(0, 1_000_000, 1))
    for (let count = 1; count <= 5; count++) time.look(look(count * 10_000, 1_000_000 + count * 10_000 + 20, 10))
    assert.equal(time.at(50_000), 1_050_000)
    time.look(look(60_000, 1_060_020, 10))
    assert.equal(time.at(60_000), 1_060_020)
  })

  it('where the store’s clock was set forward the time goes with it', () => {
    const time = storeTime()
    time.look(look(0, 1_000_000, 1))
    time.look(look(10_000, 1_610_000, 8))
    assert.equal(time.at(10_000), 1_610_000)
  })

  it('where the store’s clock went back a little the time stands still until it is there', () => {
    const time = storeTime()
    time.look(look(0, 1_000_000))
    assert.equal(time.at(10_000), 1_010_000)
    time.look(look(10_000, 1_006_000))
    assert.equal(time.at(10_000), 1_010_000)
    assert.equal(time.at(13_999), 1_010_000)
    assert.equal(time.at(14_001), 1_010_001)
  })

  it('where the store’s clock went back far the time goes back too', () => {
    const time = storeTime()
    time.look(look(0, 1_000_000))
    assert.equal(time.at(10_000), 1_010_000)
    time.look(look(10_000, 410_000))
    assert.equal(time.at(10_000), 410_000)
    assert.equal(time.at(10_005), 410_005)
  })
})
