import assert from 'node:assert/strict'
import { retryOnConflict } from './retryOnConflict.ts'

const onBusy = () => new Error('busy')

/** Returns an attempt that loses `lost` times, and counts its calls. */
const losing = (lost: number) => {
  const calls = { count: 0 }
  const attempt = async (): Promise<string | null | undefined> => {
    calls.count += 1
    return calls.count <= lost ? undefined : 'written'
  }
  return { attempt, calls }
}

describe('retryOnConflict', () => {
  it('returns the result of the first write that nothing else preceded', async () => {
    const { attempt, calls } = losing(2)
    assert.equal(await retryOnConflict(attempt, { maxTries: 3, onBusy }), 'written')
    assert.equal(calls.count, 3)
  })

  it('throws when other changes win in every round', async () => {
    const { attempt, calls } = losing(3)
    await assert.rejects(retryOnConflict(attempt, { maxTries: 3, onBusy }), { message: 'busy' })
    assert.equal(calls.count, 3)
  })

  it('returns a result of onBusy when other changes win in every round', async () => {
    const { attempt } = losing(3)
    assert.equal(await retryOnConflict(attempt, { maxTries: 3, onBusy: () => null }), null)
  })

  it('waits between rounds, and not after the write', async () => {
    const { attempt } = losing(2)
    const pauses: number[] = []
    await retryOnConflict(attempt, { maxTries: 4, onBusy, pause: async (round) => pauses.push(round) })
    assert.deepEqual(pauses, [1, 2])
  })

  it('tries as often as a named limit allows', async () => {
    const { attempt, calls } = losing(100)
    await assert.rejects(retryOnConflict(attempt, { rounds: 'plainRecord', onBusy }), { message: 'busy' })
    assert.equal(calls.count, 8)
  })

  it('returns null as a result', async () => {
    assert.equal(await retryOnConflict(async () => null, { maxTries: 1, onBusy }), null)
  })

  it('throws what an attempt throws, and tries no more', async () => {
    const refusal = new Error('refused')
    let count = 0
    const attempt = async (): Promise<undefined> => {
      count += 1
      throw refusal
    }
    await assert.rejects(retryOnConflict(attempt, { maxTries: 3, onBusy }), refusal)
    assert.equal(count, 1)
  })
})
