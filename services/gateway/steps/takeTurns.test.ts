import assert from 'node:assert/strict'
import type { Context } from '../deps.ts'
import { fairTurns } from '../fairTurns.ts'
import { failingClients, takeTurns } from './takeTurns.ts'

const [bad, good] = ['203.0.113.9', '198.51.100.1']
const loopTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

const rig = () => {
  const time = { ms: 5_000 }
  const turns = failingClients(() => time.ms)
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

  it('make a request wait behind the earlier ones of its client, even when its failures are forgotten', async () => {
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

describe('requests that take turns', () => {
  /** Returns whether a request begins immediately after many that ended with a status and without their client. */
  const beginsAtOnceAfter = async (status: number): Promise<boolean> => {
    const step = takeTurns({ clientTurns: fairTurns(() => 0) })
    const context = (socket: { destroyed: boolean }) =>
      ({ state: { clientAddress: bad }, status: 404, req: { socket } }) as unknown as Context
    for (let count = 0; count < 40; count++) {
      const socket = { destroyed: false }
      const request = context(socket)
      await step(request, async () => {
        socket.destroyed = true
        request.status = status
      })
    }
    let hasBegun = false
    const begun = step(context({ destroyed: false }), async () => {
      hasBegun = true
    })
    const atOnce = hasBegun
    await begun
    return atOnce
  }

  it('later requests still wait after the client has aborted many queued ones', async () => {
    assert.equal(await beginsAtOnceAfter(200), false)
  })

  // They made the next requests of a dashboard with several tabs begin one by one.
  it('do not wait after many whose client left while they waited for events', async () => {
    assert.equal(await beginsAtOnceAfter(499), true)
  })
})
