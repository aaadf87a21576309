import assert from 'node:assert/strict'
import type { Context } from '../deps.ts'
import { requestScheduler } from './requestScheduler.ts'
import { failingClients, scheduleByClient } from './scheduleRequests.ts'

const [bad, good] = ['203.0.113.9', '198.51.100.1']
const loopIteration = () => new Promise<void>((resolve) => void setImmediate(resolve))

const rig = () => {
  const time = { ms: 5_000 }
  const failing = failingClients(() => time.ms)
  const fail = (address: string, times: number): void => {
    for (let count = 0; count < times; count++) failing.failed(address)
  }
  return { time, failing, fail }
}

describe('clients whose requests fail', () => {
  it('are not needed before many requests failed', () => {
    const { failing, fail } = rig()
    assert.equal(failing.mustWait(bad), false)
    fail(bad, 30)
    assert.equal(failing.mustWait(bad), false)
    fail(bad, 1)
    assert.deepEqual([failing.mustWait(bad), failing.mustWait(good)], [true, false])
  })

  it('end two seconds after the last failures', () => {
    const { time, failing, fail } = rig()
    fail(bad, 31)
    time.ms += 1_000
    assert.equal(failing.mustWait(bad), true)
    time.ms += 1_000
    assert.equal(failing.mustWait(bad), false)
  })

  it('count an IPv6 network of one subscriber as one client', () => {
    const { failing, fail } = rig()
    for (let host = 1; host <= 31; host++) fail(`2001:db8:1:2::${host}`, 1)
    assert.equal(failing.mustWait('2001:db8:1:2::ffff'), true)
    assert.equal(failing.mustWait('2001:db8:1:3::1'), false)
  })

  it('begin one request of each client in an event loop iteration, in order', async () => {
    const { failing, fail } = rig()
    fail(bad, 31)
    fail(good, 31)
    const begun: string[] = []
    for (const name of ['a1', 'a2', 'a3']) void failing.turn(bad).then(() => begun.push(name))
    for (const name of ['b1', 'b2']) void failing.turn(good).then(() => begun.push(name))
    const seen: string[] = []
    for (let turn = 0; turn < 3; turn++) {
      await loopIteration()
      seen.push(begun.splice(0).join(' '))
    }
    assert.deepEqual(seen, ['a1 b1', 'a2 b2', 'a3'])
  })

  it('wait behind the earlier requests of the client, even when its failures have expired', async () => {
    const { time, failing, fail } = rig()
    fail(bad, 31)
    const first = failing.turn(bad)
    time.ms += 5_000
    assert.deepEqual([failing.mustWait(bad), failing.mustWait(good)], [true, false])
    await first
    await loopIteration()
    assert.equal(failing.mustWait(bad), false)
  })
})

describe('scheduling by client', () => {
  /** Returns whether a request begins immediately after many that ended with a status and without their client. */
  const startsImmediatelyAfter = async (status: number): Promise<boolean> => {
    const step = scheduleByClient({ clientTurns: requestScheduler(() => 0) })
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
    assert.equal(await startsImmediatelyAfter(200), false)
  })

  // They made the next requests of a dashboard with several tabs begin one by one.
  it('do not wait after many whose client left while they waited for events', async () => {
    assert.equal(await startsImmediatelyAfter(499), true)
  })
})
