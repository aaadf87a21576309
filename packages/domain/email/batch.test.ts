import assert from 'node:assert/strict'
import { abandonedMs } from '../idempotency/claim.ts'
import { hourMs } from '../time.ts'
import {
  type BatchState,
  type BatchSweep,
  batchSweeps,
  clearedBatch,
  decideAccept,
  decideStage,
  decideVoid,
  doneBatch,
  isBatchIncomplete,
  isBatchOpen,
  removedBatch,
  revokedBatch,
  shownBatchState,
  statesSweptBy,
  type VoidDecision,
} from './batch.ts'

const now = 1_790_000_000_000

type Case = {
  state: BatchState
  shown: ReturnType<typeof shownBatchState>
  isOpen: boolean
  sweep: BatchSweep
  decision: VoidDecision
}

describe('life of a batch', () => {
  const stays = (isVoid: boolean): VoidDecision => ({ write: null, isVoid })
  const ends: VoidDecision = { write: 'change', isVoid: true, change: { state: 'void', dueAt: now } }
  const cases: Case[] = [
    { state: 'open', shown: 'open', isOpen: true, sweep: 'clear', decision: ends },
    { state: 'accepted', shown: 'accepted', isOpen: false, sweep: 'complete', decision: stays(false) },
    { state: 'done', shown: 'accepted', isOpen: false, sweep: 'forget', decision: stays(false) },
    { state: 'void', shown: 'void', isOpen: false, sweep: 'clear', decision: stays(true) },
    { state: 'cleared', shown: 'void', isOpen: false, sweep: 'clear_and_forget', decision: stays(true) },
  ]
  for (const { state, shown, isOpen, sweep, decision } of cases)
    it(`a batch that is ${state} is shown as ${shown}, and the sweep runs: ${sweep}`, () => {
      assert.equal(shownBatchState(state), shown)
      assert.equal(isBatchOpen(state), isOpen)
      assert.equal(batchSweeps[state], sweep)
      assert.ok(statesSweptBy(sweep).includes(state))
      assert.equal(isBatchIncomplete(state), sweep === 'complete')
      assert.deepEqual(decideStage(state, now), isOpen ? { state: 'open', dueAt: now } : null)
      assert.equal(decideAccept(state, { hasStaged: true, now })?.state, isOpen ? 'accepted' : undefined)
      assert.deepEqual(decideVoid(state, now), decision)
    })

  it('an unknown id can be used, and is void after the first request to make it void', () => {
    assert.equal(isBatchOpen(null), true)
    assert.equal(isBatchIncomplete(null), false)
    assert.deepEqual(decideStage(null, now), { state: 'open', dueAt: now })
    assert.deepEqual(decideVoid(null, now), { write: 'create', isVoid: true, change: clearedBatch(now) })
  })

  it('a batch is done when it is accepted, unless its staged emails are still to become due', () => {
    assert.deepEqual(decideAccept('open', { hasStaged: true, now }), { state: 'accepted', dueAt: now })
    assert.deepEqual(decideAccept('open', { hasStaged: false, now }), doneBatch(now))
    assert.deepEqual(decideAccept(null, { hasStaged: false, now }), doneBatch(now))
  })

  it('a batch that ended is remembered longer than a request with its key can be repeated', () => {
    for (const change of [doneBatch(now), clearedBatch(now)]) assert.ok(change.dueAt > now + abandonedMs)
    assert.deepEqual(removedBatch(now), { state: 'cleared', dueAt: now + hourMs })
  })

  it('a batch of a removed workspace is void before its emails are removed, so that no request extends it', () => {
    assert.equal(shownBatchState(revokedBatch.state), 'void')
    assert.equal(decideStage(revokedBatch.state, now), null)
    assert.equal(decideAccept(revokedBatch.state, { hasStaged: true, now }), null)
    assert.equal(isBatchIncomplete(revokedBatch.state), false)
    assert.equal(revokedBatch.results, '')
  })
})
