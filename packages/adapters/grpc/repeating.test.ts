import assert from 'node:assert/strict'
import { status } from '@grpc/grpc-js'
import type { Answer } from './ask.ts'
import { neverLeft, nobodyAnswered, repeating } from './repeating.ts'

const bytes = Buffer.from('x')
const ok: Answer = { code: status.OK, body: bytes, told: '' }
const nobody: Answer = { code: status.UNAVAILABLE, body: Buffer.alloc(0), told: 'gone' }

/** Asks until `answers` are used up, then gets the last of them. Time passes only in pauses. */
const asking = async (answers: Answer[], { deadlineAt = 4_000, random = 0, after = nobodyAnswered } = {}) => {
  const state = { now: 0, asked: 0 }
  const pauses: number[] = []
  const ask = repeating({
    ask: async () => answers[Math.min(state.asked++, answers.length - 1)] as Answer,
    after,
    now: () => state.now,
    random: () => random,
    pause: async (ms) => {
      pauses.push(ms)
      state.now += ms
    },
  })
  const answer = await ask({ path: '/a.B/C', message: bytes, deadlineAt, headers: {} })
  return { answer, asked: state.asked, pauses }
}

describe('repeating a call', () => {
  it('goes on until somebody answers', async () => {
    const { answer, asked } = await asking([nobody, { ...nobody, code: status.CANCELLED }, ok])
    assert.deepEqual([answer, asked], [ok, 3])
  })

  it('asks a few times, further and further apart', async () => {
    const { answer, asked, pauses } = await asking([nobody])
    assert.deepEqual([answer, asked, pauses], [nobody, 5, [20, 100, 300, 800]])
  })

  it('waits shorter by chance, up to half', async () => {
    const { pauses } = await asking([nobody], { random: 1 })
    assert.deepEqual(pauses, [10, 50, 150, 400])
  })

  it('doesn’t outlast the deadline', async () => {
    const { answer, pauses } = await asking([nobody], { deadlineAt: 400 })
    assert.deepEqual([answer, pauses], [nobody, [20, 100]])
  })

  it('is, for what may not be done twice, only for what never left', async () => {
    const unsent = ['round_robin: No connection established. Last error: null', 'none of a:1 has an address']
    for (const told of unsent) {
      assert.deepEqual((await asking([{ ...nobody, told }, ok], { after: neverLeft })).asked, 2)
    }
    for (const told of ['gone', 'Connection dropped']) {
      assert.deepEqual((await asking([{ ...nobody, told }, ok], { after: neverLeft })).asked, 1)
    }
  })

  it('is not for what the service itself refuses, nor for what took too long or broke', async () => {
    const refused = [
      { ...nobody, body: bytes },
      ...[status.DEADLINE_EXCEEDED, status.INTERNAL, status.RESOURCE_EXHAUSTED].map((code) => ({ ...nobody, code })),
    ]
    for (const answer of refused) assert.deepEqual((await asking([answer])).asked, 1)
  })
})
