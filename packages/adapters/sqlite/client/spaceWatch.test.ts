import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { manualTime } from '../../../../test/support/manualTime.ts'
import { until } from '../../../../test/support/until.ts'
import { watchSpace } from './spaceWatch.ts'

const diskFull = Object.assign(new Error('no space'), { code: 'ENOSPC' })

const watch = (probe: () => Promise<void>) => {
  const time = manualTime()
  const changes: unknown[] = []
  const path = join(tmpdir(), 'postrider.db')
  const space = watchSpace({ path, probe, onChange: (reason) => changes.push(reason), after: time.after })
  return { time, changes, space }
}

describe('watch of the disk space', () => {
  it('probes a full disk until a write succeeds, and then no more', async () => {
    let writes = 0
    const { time, changes, space } = watch(async () => {
      writes += 1
      if (writes === 1) throw diskFull
    })
    space.failed(diskFull)
    space.failed(diskFull)
    assert.deepEqual([changes, space.isFull(), time.pending()], [[diskFull], true, 1])
    time.fireNext()
    await until('the next probe is scheduled', () => time.pending() === 1 || undefined)
    time.fireNext()
    await until('the disk has space', () => !space.isFull() || undefined)
    await new Promise(setImmediate)
    assert.deepEqual([changes, writes, time.pending()], [[diskFull, null], 2, 0])
    space.failed(diskFull)
    assert.deepEqual([space.isFull(), time.pending()], [true, 1])
  })

  it('reports a full disk after it is disposed, without a probe', () => {
    const { time, changes, space } = watch(() => assert.fail('a probe'))
    space[Symbol.dispose]()
    space.failed(diskFull)
    assert.deepEqual([changes, space.isFull(), time.pending()], [[diskFull], true, 0])
  })

  it('ignores other failures of a write', () => {
    const { changes, space } = watch(() => assert.fail('a probe'))
    space.failed(new Error('disk I/O error'))
    assert.deepEqual([changes, space.isFull()], [[], false])
  })
})
