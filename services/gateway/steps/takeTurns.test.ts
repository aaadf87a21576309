import assert from 'node:assert/strict'
import { clientTurns } from './takeTurns.ts'

const [bad, good] = ['203.0.113.9', '198.51.100.1']
const loopTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

const rig = () => {
  const time = { ms: 5_000 }
  const turns = clientTurns(() => time.ms)
  const fail = (address: string, times: number): void => {
    for (let count = 0; count < times; count++) turns.failed(address)
  }
  return { time, turns, fail }
}

describe('turns of clients', () => {
  it('are not needed before many requests failed', () => {
    const { turns, fail } = rig()
    assert.equal(turns.mustWait(bad), false)
    fail(bad, 30)
    assert.equal(turns.mustWait(bad), false)
    fail(bad, 1)
    assert.deepEqual([turns.mustWait(bad), turns.mustWait(good)], [true, false])
  })

  it('end two seconds after the last failures', () => {
    const { time, turns, fail } = rig()
    fail(bad, 31)
    time.ms += 1_000
    assert.equal(turns.mustWait(bad), true)
    time.ms += 1_000
    assert.equal(turns.mustWait(bad), false)
  })

  it('count an IPv6 network of one subscriber as one client', () => {
    const { turns, fail } = rig()
    for (let host = 1; host <= 31; host++) fail(`2001:db8:1:2::${host}`, 1)
    assert.equal(turns.mustWait('2001:db8:1:2::ffff'), true)
    assert.equal(turns.mustWait('2001:db8:1:3::1'), false)
  })

  it('begin one request of each client in a turn of the event loop, in order', async () => {
    const { turns, fail } = rig()
    fail(bad, 31)
    fail(good, 31)
    const begun: string[] = []
    for (const name of ['a1', 'a2', 'a3']) void turns.turn(bad).then(() => begun.push(name))
    for (const name of ['b1', 'b2']) void turns.turn(good).then(() => begun.push(name))
    const seen: string[] = []
    for (let turn = 0; turn < 3; turn++) {
      await loopTurn()
      seen.push(begun.splice(0).join(' '))
    }
    assert.deepEqual(seen, ['a1 b1', 'a2 b2', 'a3'])
  })

  it('make a request wait behind the earlier ones of its client, also when its failures are forgotten', async () => {
    const { time, turns, fail } = rig()
    fail(bad, 31)
    const first = turns.turn(bad)
    time.ms += 5_000
    assert.deepEqual([turns.mustWait(bad), turns.mustWait(good)], [true, false])
    await first
    await loopTurn()
    assert.equal(turns.mustWait(bad), false)
  })
})
