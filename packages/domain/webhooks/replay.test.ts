import assert from 'node:assert/strict'
import { replayDueAt, replayWindow } from './replay.ts'

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
