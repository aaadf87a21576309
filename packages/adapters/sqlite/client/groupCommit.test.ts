import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { groupCommit } from './groupCommit.ts'

const groupOf = (file: DatabaseSync, isDiskFull = () => false) => {
  let commits = 0
  const group = groupCommit({
    file,
    prepare: (sql) => file.prepare(sql),
    onFatal: () => assert.fail(),
    onFailure: () => {},
    isDiskFull,
    afterCommit: () => {
      commits += 1
    },
    hasRoom: () => true,
  })
  return { group, commits: () => commits }
}

describe('group commit', () => {
  // Each commit costs as much as a delivery, and between two iterations only a few replies arrive.
  it('commits the writes of an iteration with those of the next one if they are few', async () => {
    using file = new DatabaseSync(':memory:')
    const { group, commits } = groupOf(file)
    group.join()
    const first = group.synced()
    await nextIteration()
    assert.equal(commits(), 0)
    group.join()
    assert.equal(group.synced(), first)
    await nextIteration()
    assert.equal(commits(), 1)
    await first
  })

  for (const [name, isLong, count] of [
    ['many writes', false, 32],
    ['one long write', true, 1],
  ] as const)
    it(`commits ${name} at the end of the iteration`, async () => {
      using file = new DatabaseSync(':memory:')
      const { group, commits } = groupOf(file)
      for (let write = 0; write < count; write++) group.join(isLong)
      await nextIteration()
      assert.equal(commits(), 1)
    })

  it('ends a group in its second iteration if a write of it fails', async () => {
    using file = new DatabaseSync(':memory:')
    const { group, commits } = groupOf(file)
    group.join()
    const lost = assert.rejects(group.synced(), { code: 'unavailable' })
    await nextIteration()
    group.fail(new Error('disk'))
    await lost
    await nextIteration()
    assert.equal(commits(), 0)
    group.join()
    await group.synced()
    assert.equal(commits(), 1)
  })

  it('commits a group that waits for its second iteration when it is flushed, once', async () => {
    using file = new DatabaseSync(':memory:')
    const { group, commits } = groupOf(file)
    group.join()
    await nextIteration()
    group.flush()
    assert.equal(commits(), 1)
    await nextIteration()
    assert.equal(commits(), 1)
  })

  // Regression: a delivery that began before the disk was full and ended when it had space logged a warning.
  for (const isExpected of [true, false])
    it(`refuses writes of a unit after a failed commit as ${isExpected ? 'expected' : 'unexpected'}, also when the disk has changed`, async () => {
      using file = new DatabaseSync(':memory:')
      let isDiskFull = isExpected
      const { group } = groupOf(file, () => isDiskFull)
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
