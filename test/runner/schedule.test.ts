import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { groups, withFiles } from './groups.ts'
import { next, runAll } from './schedule.ts'

const long = { name: 'long', seconds: 60, heavy: true }
const longToo = { name: 'long too', seconds: 50, heavy: true }
const short = { name: 'short', seconds: 10 }
const shorter = { name: 'shorter', seconds: 5 }

describe('schedule of test groups', () => {
  it('starts the longest heavy group first', () => {
    assert.equal(next([short, longToo, long], []), long)
  })

  it('starts the longest light group while a heavy one runs', () => {
    assert.equal(next([shorter, short, longToo], [long]), short)
  })

  it('starts a second heavy group if no other is left', () => {
    assert.equal(next([longToo], [long]), longToo)
    assert.equal(next([], [long]), undefined)
  })

  it('runs every group once, at most as many at a time as there are workers', async () => {
    const ran: string[] = []
    let [running, most] = [0, 0]
    await runAll([shorter, long, longToo, short], 2, async ({ name }) => {
      ran.push(name)
      most = Math.max(most, ++running)
      await turn()
      running--
    })
    assert.deepEqual(ran, ['long', 'short', 'long too', 'shorter'])
    assert.equal(most, 2)
  })
})

describe('test groups', () => {
  it('run every spec file once, and the end-to-end files once more on a cluster', () => {
    const files = withFiles(groups, []).flatMap(({ specs, env }) => (env ? [] : specs))
    const again = withFiles(groups, []).flatMap(({ specs, env }) => (env ? specs : []))
    assert.equal(new Set(files).size, files.length)
    assert.ok(files.includes('test/runner/schedule.test.ts'))
    assert.ok(files.includes('packages/mail/address.test.ts'))
    assert.deepEqual(
      again,
      files.filter((file) => file.startsWith('test/e2e/')),
    )
  })

  it('can be limited to files and folders', () => {
    assert.deepEqual(
      withFiles(groups, ['test/cluster/quota.test.ts', 'test/runner/']).flatMap(({ specs }) => specs),
      ['test/cluster/quota.test.ts', 'test/runner/schedule.test.ts'],
    )
  })
})
