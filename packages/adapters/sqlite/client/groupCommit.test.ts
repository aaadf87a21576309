import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { groupCommit } from './groupCommit.ts'

describe('group commit', () => {
  // A delivery that began before the disk was full and ended when it had space logged a warning.
  for (const isExpected of [true, false])
    it(`refuses writes of a unit after a failed commit as ${isExpected ? 'expected' : 'unexpected'}, also when the disk has changed`, async () => {
      using file = new DatabaseSync(':memory:')
      let isDiskFull = isExpected
      const group = groupCommit({
        file,
        prepare: (sql) => file.prepare(sql),
        onFatal: () => assert.fail(),
        onFailure: () => {},
        isDiskFull: () => isDiskFull,
        afterCommit: () => {},
        hasRoom: () => true,
      })
      const fault = { code: 'unavailable', expected: isExpected }
      await group.unit(async () => {
        group.join()
        group.fail(Object.assign(new Error('failed'), { errcode: 13 }))
        await nextIteration()
        isDiskFull = !isExpected
        assert.throws(() => group.join(), fault)
        await assert.rejects(group.synced(), fault)
      })
      group.join()
      await group.synced()
    })
})
