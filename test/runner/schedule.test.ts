import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { groups, withFiles } from './groups.ts'
import { next, runAll } from './schedule.ts'

const long = { name: 'long', seconds: 60, cores: 1, heavy: true }
const longToo = { name: 'long too', seconds: 50, cores: 1, heavy: true }
const short = { name: 'short', seconds: 10, cores: 1 }
const shorter = { name: 'shorter', seconds: 5, cores: 0.5 }
const waiting = { name: 'waiting', seconds: 3, cores: 0.5 }

describe('schedule of test groups', () => {
  it('starts the longest heavy group first', () => {
    assert.equal(next([short, longToo, long], [], 2), long)
  })

  it('starts the longest light group while a heavy one runs', () => {
    assert.equal(next([shorter, short, longToo], [long], 2), short)
  })

  it('starts a second heavy group if no other is left', () => {
    assert.equal(next([longToo], [long], 2), longToo)
    assert.equal(next([], [long], 2), undefined)
  })

  it('starts a third group only if the three together use no more than two cores', () => {
    assert.equal(next([short, waiting], [long, shorter], 2), waiting)
    assert.equal(next([waiting], [long, short], 2), undefined)
    assert.equal(next([waiting], [waiting, waiting, waiting], 2), undefined)
  })

  it('starts a group that uses more cores than there are if no other runs', () => {
    assert.equal(next([long], [], 0.5), long)
    assert.equal(next([long], [waiting], 0.5), undefined)
  })

  it('runs every group once', async () => {
    const ran: string[] = []
    let [running, most] = [0, 0]
    await runAll([shorter, long, longToo, short, waiting], 2, async ({ name }) => {
      ran.push(name)
      most = Math.max(most, ++running)
      await turn()
      running--
    })
    assert.deepEqual(ran.toSorted(), ['long', 'long too', 'short', 'shorter', 'waiting'])
    assert.deepEqual(ran.slice(0, 2), ['long', 'short'])
    assert.ok(most <= 3)
  })
})

describe('test groups', () => {
  it('run every spec file once, and the end-to-end files and two in a browser once more on a cluster', () => {
    const files = withFiles(groups, []).flatMap(({ specs, env }) => (env ? [] : specs))
    const again = withFiles(groups, []).flatMap(({ specs, env }) => (env ? specs : []))
    assert.equal(new Set(files).size, files.length)
    assert.ok(files.includes('test/runner/schedule.test.ts'))
    assert.ok(files.includes('packages/mail/address.test.ts'))
    const inBrowser = ['test/browser/serving.test.ts', 'test/browser/story.test.ts']
    assert.deepEqual(again, files.filter((file) => inBrowser.includes(file) || file.startsWith('test/e2e/')).toSorted())
  })

  it('can be limited to files and folders', () => {
    assert.deepEqual(
      withFiles(groups, ['test/cluster/quota.test.ts', 'test/runner/']).flatMap(({ specs }) => specs),
      ['test/cluster/quota.test.ts', 'test/runner/schedule.test.ts'],
    )
  })
})
