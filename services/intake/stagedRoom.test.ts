import assert from 'node:assert/strict'
import { Fault } from '@postrider/kit/fault.ts'
import { stagedRoom } from './stagedRoom.ts'

const bench = (boundBytes = 1_000) => {
  const state = { ms: 0 }
  const room = stagedRoom({ boundBytes, lifeMs: 60_000, elapsed: () => state.ms })
  const hold = (id: string, workspace: string, bytes: number): string => {
    try {
      room.hold({ id, workspace }, bytes)
      return 'held'
    } catch (thrown) {
      assert.ok(thrown instanceof Fault)
      assert.ok((thrown.retryAfterMs ?? 0) >= 1_000)
      return thrown.code
    }
  }
  return { state, room, hold }
}

// A test key could stage without end: what is not accepted counted nowhere, and stayed stored for a minute.
describe('room for staged parts of batches', () => {
  it('refuses a workspace with half of the bound, and no other workspace', () => {
    const { hold } = bench()
    for (let part = 0; part < 5; part++) assert.equal(hold('bat_1', 'acme', 100), 'held')
    for (const id of ['bat_1', 'bat_2']) assert.equal(hold(id, 'acme', 100), 'rate_limited')
    assert.equal(hold('bat_3', 'globex', 100), 'held')
  })

  it('refuses at the bound only workspaces with their equal part', () => {
    const { hold } = bench()
    for (const workspace of ['a', 'b', 'c']) assert.equal(hold(`bat_${workspace}`, workspace, 400), 'held')
    assert.equal(hold('bat_4', 'a', 1), 'unavailable')
    assert.equal(hold('bat_5', 'd', 100), 'held')
  })

  it('is free again after a batch was accepted, or was not extended for the life of a part', () => {
    const { state, room, hold } = bench()
    assert.equal(hold('bat_1', 'acme', 300), 'held')
    assert.equal(hold('bat_2', 'acme', 300), 'held')
    room.release('bat_2')
    room.release('bat_2')
    room.release('bat_of_another_process')
    assert.equal(hold('bat_3', 'acme', 200), 'held')
    assert.equal(hold('bat_4', 'acme', 1), 'rate_limited')
    state.ms = 59_999
    assert.equal(hold('bat_4', 'acme', 1), 'rate_limited')
    state.ms = 60_000
    assert.equal(hold('bat_4', 'acme', 1), 'held')
  })

  it('counts all parts of a batch from its last one', () => {
    const { state, hold } = bench()
    assert.equal(hold('bat_1', 'acme', 250), 'held')
    assert.equal(hold('bat_2', 'acme', 100), 'held')
    state.ms = 30_000
    assert.equal(hold('bat_1', 'acme', 250), 'held')
    state.ms = 60_000
    assert.equal(hold('bat_3', 'acme', 1), 'rate_limited')
    state.ms = 90_000
    assert.equal(hold('bat_3', 'acme', 1), 'held')
  })
})
