import assert from 'node:assert/strict'
import { makeSlices } from '@postrider/kit/slices.ts'
import type { StatsStore } from '@postrider/ports/stats.ts'
import { reader } from '../../test/support/testIntake.ts'
import { readStats } from './stats.ts'

const now = Date.UTC(2026, 10, 24, 12)

/**
 * Reads statistics of a workspace whose position is so old; the client disconnects at the third read of mail.
 * @returns the reads
 */
const readsOfGoneClient = async (ageMs: number): Promise<number> => {
  const gone = new AbortController()
  let reads = 0
  let position = now - ageMs
  const stats: Pick<StatsStore, 'position' | 'movePosition' | 'changedEmails' | 'buckets' | 'bucketsIn'> = {
    position: async () => position,
    movePosition: async (_owner, { to }) => {
      position = to
      return true
    },
    changedEmails: async ({ after }) => {
      reads += 1
      if (reads === 3) gone.abort()
      return { emails: [], until: after + 1 }
    },
    buckets: async () => [],
    bucketsIn: async () => [],
  }
  const live = reader({ workspace: 'ws_1', mode: 'live' })
  const read = readStats({ stats: stats as StatsStore, slices: makeSlices(), now: () => now })
  await read({ reader: live, from: null, to: null, bucket: null, by: 'status' }, gone.signal)
  return reads
}

describe('statistics of mail', () => {
  // Regression: they were counted for up to 2 s, or 1,000 emails, for a client that did not wait for them any more.
  for (const [what, ageMs] of [
    ['old', 600_000],
    ['recent', 20_000],
  ] as const)
    it(`end the count of ${what} mail when the client disconnects`, async () =>
      assert.equal(await readsOfGoneClient(ageMs), 3))
})
