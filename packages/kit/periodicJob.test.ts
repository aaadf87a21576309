import assert from 'node:assert/strict'
import { Fault } from './fault.ts'
import { periodicJob } from './periodicJob.ts'

/** Runs a job whose runs end as listed, one after the other. @returns the levels of its log lines */
const levelsOf = async (ends: readonly (Error | null)[]): Promise<string[]> => {
  const levels: string[] = []
  const note =
    (level: string) =>
    (fields: unknown, message?: string): void => {
      assert.deepEqual([(fields as { err: unknown }).err, message], [ends[runs - 1], 'the job failed'])
      levels.push(level)
    }
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  let runs = 0
  const task = async (): Promise<void> => {
    if (runs === ends.length) resolve()
    const end = ends[runs++]
    if (end) throw end
  }
  const log = { info: note('info'), warn: note('warn'), error: note('error') }
  await using _ = periodicJob(task, { everyMs: 0, startNow: true, log, message: 'the job failed' })
  await ended
  return levels
}

describe('periodic job', () => {
  const away = () => new Fault('unavailable', 'The store does not answer.')

  it('logs a dependency that was never available as info, and one that was as a warning', async () => {
    assert.deepEqual(await levelsOf([away(), away(), null, away()]), ['info', 'info', 'warn'])
  })

  it('logs an expected failure not at all, and any other as an error', async () => {
    const expected = new Fault('unavailable', 'Busy.', { expected: true })
    assert.deepEqual(await levelsOf([expected, new TypeError('a bug'), expected]), ['error'])
  })
})
