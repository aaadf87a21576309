import assert from 'node:assert/strict'
import { feedDelayMs } from '../events/event.ts'
import { afterAllIds } from '../ids.ts'
import {
  afterEmptyPage,
  afterReplayedEvent,
  endedReplay,
  newReplay,
  nextReplayRange,
  replayDueAt,
  replayWindow,
} from './replay.ts'

const [now, recordMs] = [1_000_000, 500_000]

describe('window of a replay', () => {
  it('is cut to the events that are stored and to now', () => {
    assert.deepEqual(replayWindow({ from: 1, to: now + 60_000 }, now, recordMs), {
      window: { from: now - recordMs, to: now + 1 },
    })
    assert.deepEqual(replayWindow({ from: 600_000, to: 700_000 }, now, recordMs), {
      window: { from: 600_000, to: 700_000 },
    })
  })

  const cases: [from: number, to: number, expected: string[]][] = [
    [now + 1, now + 60_001, ['from time_in_future', 'to time_in_future']],
    [700_000, 700_000, ['to not_after_from']],
  ]
  for (const [from, to, expected] of cases)
    it(`is refused from ${from} to ${to}: ${expected.join(', ')}`, () => {
      const found = replayWindow({ from, to }, now, recordMs)
      assert.ok('problems' in found)
      assert.deepEqual(
        found.problems.map(({ path, code }) => `${path} ${code}`),
        expected,
      )
    })
})

describe('due time of a replay', () => {
  it('is its creation, then the end of its lease, and none once it has ended', () => {
    assert.equal(replayDueAt({ status: 'running', createdAt: 1 }, null), 1)
    assert.equal(replayDueAt({ status: 'running', createdAt: 1 }, 9), 9)
    assert.equal(replayDueAt({ status: 'done', createdAt: 1 }, 9), null)
  })
})

describe('progress of a replay', () => {
  const window = { from: 100, to: 200_000 }
  const replay = newReplay('rpl_1', { id: 'wh_1', workspace: 'ws_1' }, window, now)
  const cursor = { at: 150, id: 'evt_1' }
  const start = { at: 99, id: afterAllIds }

  const ranges: [name: string, cursor: typeof cursor | null, at: number, expected: object][] = [
    ['the whole window', null, 199_999 + feedDelayMs, { after: start, until: 199_999, isWhole: true }],
    ['what the feed shows', null, 199_998 + feedDelayMs, { after: start, until: 199_998, isWhole: false }],
    ['what follows its cursor', cursor, now, { after: cursor, until: 199_999, isWhole: true }],
  ]
  for (const [name, own, at, expected] of ranges)
    it(`reads ${name}`, () => assert.deepEqual(nextReplayRange({ ...replay, cursor: own }, at), expected))

  const pages: [hasMore: boolean, isWhole: boolean, step: string][] = [
    [true, true, 'next'],
    [true, false, 'next'],
    [false, true, 'done'],
    [false, false, 'wait'],
  ]
  for (const [hasMore, isWhole, step] of pages)
    it(`continues with ${step} after an empty page: ${JSON.stringify({ hasMore, isWhole })}`, () =>
      assert.equal(afterEmptyPage({ hasMore, isWhole }), step))

  it('counts what was sent, and what the receiver accepted', () => {
    assert.deepEqual(afterReplayedEvent(replay, cursor, false), { ...replay, cursor, sent: 1 })
    assert.deepEqual(afterReplayedEvent(replay, cursor, true), { ...replay, cursor, sent: 1, delivered: 1 })
    assert.deepEqual(endedReplay(replay, 'canceled', 7), { ...replay, status: 'canceled', endedAt: 7 })
  })
})
