import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { bodyRoom } from './bodyRoom.ts'

const size = { bytes: 100, bytesOfOne: 60, waitMs: 1_000 }

describe('room for long bodies', () => {
  afterEach(() => mock.timers.reset())

  it('is for so many bytes; one more waits until one leaves', async () => {
    const room = bodyRoom(size)
    const [first, second, third] = ['ws_1', 'ws_2', 'ws_3'].map((owner) => room.enter(owner))
    assert.ok(first && second && third)
    assert.deepEqual(await Promise.all([first.take(50), second.take(50)]), [true, true])
    let found = false
    const waiting = third.take(50).then((is) => {
      found = is
    })
    await Promise.resolve()
    assert.equal(found, false)
    first[Symbol.dispose]()
    await waiting
    assert.equal(found, true)
  })

  it('is not all for one: the next of another finds some', async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    const room = bodyRoom(size)
    using one = room.enter('ws_1')
    using again = room.enter('ws_1')
    using other = room.enter('ws_2')
    assert.equal(await one.take(40), true)
    const waiting = again.take(40)
    assert.equal(await other.take(40), true)
    mock.timers.tick(1_000)
    assert.equal(await waiting, false)
  })

  it('is there for whoever comes first, whatever its size', async () => {
    using long = bodyRoom(size).enter('ws_1')
    assert.equal(await long.take(1_000), true)
  })

  it('of who gave up waiting nothing is held', async () => {
    const room = bodyRoom(size)
    const held = room.enter('ws_1')
    await held.take(100)
    const gone = room.enter('ws_2')
    const waiting = gone.take(100)
    gone[Symbol.dispose]()
    assert.equal(await waiting, false)
    held[Symbol.dispose]()
    using next = room.enter('ws_3')
    assert.equal(await next.take(100), true)
  })
})
