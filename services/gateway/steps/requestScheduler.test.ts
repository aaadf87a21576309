import assert from 'node:assert/strict'
import { requestScheduler } from './requestScheduler.ts'

const loopIteration = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** `request` begins work of `ms` milliseconds, immediately or in its turn. */
const rig = () => {
  const time = { ms: 5_000 }
  const scheduler = requestScheduler(() => time.ms)
  const begun: string[] = []
  const request = (owner: string, ms: number): void => {
    const begin = (): void => {
      time.ms += ms
      begun.push(owner)
    }
    const turn = scheduler.schedule(owner)
    if (turn === null) begin()
    else void turn.then(begin)
  }
  const requests = (owners: string, ms: number): void => {
    for (const owner of owners) request(owner, ms)
  }
  /** Returns the owners whose requests began since the last call. */
  const seen = (): string => begun.splice(0).join('')
  return { time, requests, seen }
}

describe('request scheduler', () => {
  it('let all requests of the only owner begin immediately', async () => {
    const { requests, seen } = rig()
    requests('aaaaaaaaaa', 4)
    assert.equal(seen(), 'aaaaaaaaaa')
  })

  // Regression: 100 requests of a hostile tenant that arrived in one iteration delayed all others by the work of all of
  // them.
  it('lets an owner use 2 ms of an iteration while others are active, and starts the first request of another owner immediately', async () => {
    const { requests, seen } = rig()
    requests('b', 0)
    requests('aaaaaab', 0.8)
    assert.equal(seen(), 'baaab')
    await loopIteration()
    assert.equal(seen(), 'aaa')
  })

  it('begin what waits round-robin across the owners, 2 ms in an event loop iteration', async () => {
    const { requests, seen } = rig()
    requests('ba', 2.4)
    requests('aaaabbc', 0.8)
    assert.equal(seen(), 'babc')
    const each: string[] = []
    for (let turn = 0; turn < 3; turn++) {
      await loopIteration()
      each.push(seen())
    }
    assert.deepEqual(each, ['aba', 'aa', ''])
  })

  it('starts a request after earlier requests of its owner', async () => {
    const { requests, seen } = rig()
    requests('baaa', 1.2)
    assert.equal(seen(), 'baa')
    requests('aca', 1.2)
    assert.equal(seen(), 'c')
    await loopIteration()
    requests('a', 0)
    assert.equal(seen(), 'aa')
    await loopIteration()
    await loopIteration()
    assert.equal(seen(), 'aa')
  })

  it('begin the requests of many owners in several event loop iterations', async () => {
    const { requests, seen } = rig()
    const owners = Array.from({ length: 70 }, (_, number) => String.fromCharCode(0x100 + number)).join('')
    requests(owners, 0.4)
    const each = [seen().length]
    for (let turn = 0; turn < 3; turn++) {
      await loopIteration()
      each.push(seen().length)
    }
    assert.deepEqual(each, [33, 6, 6, 6])
  })

  it('stops limiting iterations two seconds after the other owner was active', async () => {
    const { time, requests, seen } = rig()
    requests('baaaa', 1.2)
    assert.equal(seen(), 'baa')
    for (let turn = 0; turn < 3; turn++) await loopIteration()
    assert.equal(seen(), 'aa')
    time.ms += 2_000
    requests('aaaaaa', 1.2)
    assert.equal(seen(), 'aaaaaa')
  })
})
