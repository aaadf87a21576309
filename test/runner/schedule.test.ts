import assert from 'node:assert/strict'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { type Group, groupsOf } from './groups.ts'
import { next, runAll } from './schedule.ts'

const long = { name: 'long', seconds: 60, cores: 1, heavy: true }
const longToo = { name: 'long too', seconds: 50, cores: 1, heavy: true }
const longest = { name: 'longest', seconds: 90, cores: 1 }
const short = { name: 'short', seconds: 10, cores: 1 }
const shorter = { name: 'shorter', seconds: 5, cores: 0.5 }
const waiting = { name: 'waiting', seconds: 3, cores: 0.4 }
const idle = { name: 'idle', seconds: 3, cores: 0.1 }

describe('schedule of test groups', () => {
  it('starts the longest heavy group first', () => {
    assert.equal(next([longest, longToo, long], [], 2), long)
  })

  it('starts the longest light group while a heavy one runs', () => {
    assert.equal(next([shorter, short, longToo], [long], 2), short)
  })

  it('starts the next heavy group as soon as the one before has ended', () => {
    assert.equal(next([longToo], [long], 2), undefined)
    assert.equal(next([longest, longToo], [short], 2), longToo)
  })

  it('starts a further group only if all together use little more than two cores', () => {
    assert.equal(next([short, waiting], [long, shorter], 2), waiting)
    assert.equal(next([shorter], [long, short], 2), undefined)
    assert.equal(next([waiting], [waiting, waiting, waiting], 2), waiting)
    assert.equal(next([waiting], Array(5).fill(waiting), 2), waiting)
    assert.equal(next([idle], Array(5).fill(idle), 2), idle)
    assert.equal(next([idle], Array(6).fill(idle), 2), undefined)
  })

  it('starts a group that uses more cores than there are if no other runs', () => {
    assert.equal(next([long], [], 0.5), long)
    assert.equal(next([longest], [waiting], 0.5), undefined)
  })

  it('runs every group once', async () => {
    const ran: string[] = []
    let [running, max] = [0, 0]
    await runAll([shorter, long, longToo, short, waiting], 2, async ({ name }) => {
      ran.push(name)
      max = Math.max(max, ++running)
      await nextIteration()
      running--
    })
    assert.deepEqual(ran.toSorted(), ['long', 'long too', 'short', 'shorter', 'waiting'])
    assert.deepEqual(ran.slice(0, 2), ['long', 'short'])
    assert.ok(max <= 6)
  })
})

describe('test groups', () => {
  const filesOf = (groups: readonly Group[]): string[] => groups.flatMap(({ specs }) => specs)
  const hasEnv = ({ env }: Group): boolean => env !== undefined

  it('run every spec file once, and the end-to-end files and two in a browser once more on a cluster', () => {
    const files = filesOf(groupsOf('all').filter((group) => !hasEnv(group)))
    const again = filesOf(groupsOf('all').filter(hasEnv))
    assert.equal(new Set(files).size, files.length)
    assert.ok(files.includes('test/runner/schedule.test.ts'))
    assert.ok(files.includes('packages/mail/address.test.ts'))
    const inBrowser = ['test/browser/serving.test.ts', 'test/browser/story.test.ts']
    assert.deepEqual(again, files.filter((file) => inBrowser.includes(file) || file.startsWith('test/e2e/')).toSorted())
  })

  it('are divided between two commands, of which the first also runs a sample on a cluster', () => {
    const [light, sample] = [groupsOf('test').filter((group) => !hasEnv(group)), groupsOf('test').filter(hasEnv)]
    const key = ({ name, specs }: Group): string => `${name}: ${specs.join()}`
    assert.deepEqual([...light, ...groupsOf('cluster')].map(key).toSorted(), groupsOf('all').map(key).toSorted())
    const onCluster = filesOf(groupsOf('cluster').filter(hasEnv))
    assert.deepEqual(
      filesOf(sample).filter((file) => !onCluster.includes(file)),
      [],
    )
    assert.ok(filesOf(sample).length > 5)
  })

  it('can be limited to files and folders', () => {
    assert.deepEqual(filesOf(groupsOf('all', ['test/cluster/quota.test.ts', 'test/runner/'])), [
      'test/cluster/quota.test.ts',
      'test/runner/schedule.test.ts',
    ])
  })
})
