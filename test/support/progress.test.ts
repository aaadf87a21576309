import assert from 'node:assert/strict'
import { durationText, inRounds, step } from './progress.ts'

/** A clock and a timer that the test moves. */
const rig = () => {
  const lines: string[] = []
  const state = { at: 0, report: () => {}, stopped: 0 }
  return {
    lines,
    state,
    options: {
      print: (line: string) => void lines.push(line),
      now: () => state.at,
      repeat: (report: () => void) => {
        state.report = report
        return { stop: () => (state.stopped += 1) }
      },
    },
  }
}

describe('progress', () => {
  for (const [ms, text] of [
    [0, '0.0 s'],
    [420, '0.4 s'],
    [9_949, '9.9 s'],
    [9_950, '10 s'],
    [59_400, '59 s'],
    [59_600, '1 min 0 s'],
    [185_000, '3 min 5 s'],
  ] as const)
    it(`shows ${ms} ms as ${text}`, () => assert.equal(durationText(ms), text))

  it('shows the start of a step, that it still runs, and its end', async () => {
    const { lines, state, options } = rig()
    const work = async () => {
      state.at += 12_000
      state.report()
      state.at += 3_000
      return 'built'
    }
    assert.equal(await step('building', work, options), 'built')
    assert.deepEqual(lines, ['building …', 'building: running for 12 s', 'building: done in 15 s'])
    assert.equal(state.stopped, 1)
  })

  it('shows that a step failed, and stops its reports', async () => {
    const { lines, state, options } = rig()
    await assert.rejects(
      step('building', () => Promise.reject(new Error('no space')), options),
      /no space/,
    )
    assert.deepEqual([lines.at(-1), state.stopped], ['building: failed after 0.0 s', 1])
  })

  it('shows the round and the time that is left', async () => {
    const { lines, state, options } = rig()
    const rounds = await inRounds(
      3,
      async (number) => {
        state.at += 60_000 * (number + 1)
        return number
      },
      options,
    )
    assert.deepEqual(rounds, [0, 1, 2])
    assert.deepEqual(lines, [
      'round 1 of 3',
      'round 2 of 3, about 2 min 0 s left',
      'round 3 of 3, about 1 min 30 s left',
      '3 rounds in 6 min 0 s',
    ])
  })

  it('prints no control character', async () => {
    const { lines, options } = rig()
    await step('building', async () => 1, options)
    await inRounds(2, async () => 1, options)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is searched
    for (const line of lines) assert.doesNotMatch(line, /[\x00-\x1f\x7f]/)
  })
})
