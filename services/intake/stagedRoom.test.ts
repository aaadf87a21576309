import assert from 'node:assert/strict'
import { Fault } from '@postrider/kit/fault.ts'
import { stagedRoom } from './stagedRoom.ts'

const bench = (boundBytes = 1_000) => {
  const state = { ms: 0 }
  const room = stagedRoom({ boundBytes, lifeMs: 60_000, elapsed: () => state.ms })
  const reserve = (id: string, workspace: string, bytes: number): string => {
    try {
      room.reserve({ id, workspace }, bytes)
      return 'reserved'
    } catch (thrown) {
      assert.ok(thrown instanceof Fault)
      assert.ok((thrown.retryAfterMs ?? 0) >= 1_000)
      assert.equal(thrown.accepted, 'no')
      return thrown.code
    }
  }
  return { state, room, reserve }
}

// A test key could stage without end: what is not accepted counted nowhere, and stayed stored for a minute.
describe('room for staged parts of batches', () => {
  it('refuses a workspace with half of the bound, and no other workspace', () => {
    const { reserve } = bench()
    for (let part = 0; part < 5; part++) assert.equal(reserve('bat_1', 'acme', 100), 'reserved')
    for (const id of ['bat_1', 'bat_2']) assert.equal(reserve(id, 'acme', 100), 'rate_limited')
    assert.equal(reserve('bat_3', 'globex', 100), 'reserved')
  })

  it('refuses at the bound only workspaces with their equal part', () => {
    const { reserve } = bench()
    for (const workspace of ['a', 'b', 'c']) assert.equal(reserve(`bat_${workspace}`, workspace, 400), 'reserved')
    assert.equal(reserve('bat_4', 'a', 1), 'unavailable')
    assert.equal(reserve('bat_5', 'd', 100), 'reserved')
  })

  it('is free again after a batch was accepted, or was not extended for the life of a part', () => {
    const { state, room, reserve } = bench()
    assert.equal(reserve('bat_1', 'acme', 300), 'reserved')
    assert.equal(reserve('bat_2', 'acme', 300), 'reserved')
    room.release('bat_2')
    room.release('bat_2')
    room.release('bat_of_another_process')
    assert.equal(reserve('bat_3', 'acme', 200), 'reserved')
    assert.equal(reserve('bat_4', 'acme', 1), 'rate_limited')
    state.ms = 59_999
    assert.equal(reserve('bat_4', 'acme', 1), 'rate_limited')
    state.ms = 60_000
    assert.equal(reserve('bat_4', 'acme', 1), 'reserved')
  })

  it('counts all parts of a batch from its last one', () => {
    const { state, reserve } = bench()
    assert.equal(reserve('bat_1', 'acme', 250), 'reserved')
    assert.equal(reserve('bat_2', 'acme', 100), 'reserved')
    state.ms = 30_000
    assert.equal(reserve('bat_1', 'acme', 250), 'reserved')
    state.ms = 60_000
    assert.equal(reserve('bat_3', 'acme', 1), 'rate_limited')
    state.ms = 90_000
    assert.equal(reserve('bat_3', 'acme', 1), 'reserved')
  })
})
