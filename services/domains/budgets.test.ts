import assert from 'node:assert/strict'
import { memoryLimiter } from '@postrider/adapters/memory/limiter.ts'
import { makeSecretBox } from '@postrider/kit/secretBox.ts'
import type { DkimKeyPair } from '@postrider/mail/dkimKeys.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'
import { actor, noon, publish, secret, testDomains, workspace } from '../../test/support/testDomains.ts'
import { keyMaker } from './makeKeys.ts'

const other = 'ws_01m7yr6cabfzvahf8pz72f0kb5'
const example = { workspace, name: 'example.com', actor }

const fakeKey = async (algorithm: DkimKeyPair['algorithm']): Promise<DkimKeyPair> => ({
  algorithm,
  privateKey: Buffer.from('private'),
  record: 'v=DKIM1; p=',
})

/** A limiter that a test closes for the buckets of one kind. Counts the requests to each. */
const switchedLimiter = (kind: string) => {
  const limiter = memoryLimiter()
  const state = { isClosed: false, cost: 0 }
  const take: Limiter['take'] = async (buckets, cost, now) => {
    const isOurs = buckets.some(({ key }) => key.startsWith(kind))
    if (isOurs) state.cost += cost
    const verdict = await limiter.take(buckets, cost, now)
    return isOurs && state.isClosed ? { ...verdict, admitted: false, retryAfterMs: 10_000 } : verdict
  }
  return Object.assign(state, { limiter: { take } })
}

describe('keys that a workspace has made', () => {
  // Regression: a loop of requests used a thread and a CPU for as long as it ran.
  it('are limited in their rate, and those of other workspaces do not count', async () => {
    await using rig = await testDomains({ generate: fakeKey })
    const { id } = await rig.domains.Create(example)
    const rotate = () => rig.domains.RotateKey({ workspace, id, actor })
    for (let made = 1; made < 200; made++) await rotate()
    await assert.rejects(rotate(), { code: 'rate_limited', retryAfterMs: 10_000 })
    await assert.rejects(rig.domains.Create({ ...example, name: 'b.example.com' }), { code: 'rate_limited' })
    await rig.domains.Create({ ...example, workspace: other })
    rig.time.at += 10_000
    await rig.domains.Create({ ...example, name: 'b.example.com' })
    await assert.rejects(rotate(), { code: 'rate_limited' })
  })

  it('are not counted for a request that makes none', async () => {
    const keys = switchedLimiter('domain-keys')
    await using rig = await testDomains({ generate: fakeKey, limiter: keys.limiter })
    await rig.domains.Create(example)
    assert.equal(keys.cost, 1)
    await assert.rejects(rig.domains.Create(example), { code: 'conflict' })
    await assert.rejects(rig.domains.Create({ ...example, name: 'co.uk' }), { code: 'validation_failed' })
    await assert.rejects(rig.domains.RotateKey({ workspace, id: 'dom_01m7yr6cabfzvahf8pz72f0kb4', actor }))
    assert.equal(keys.cost, 1)
  })

  // Regression: five workspaces with four requests each refused the requests of every other one.
  it('are made even while many workspaces fill all slots', async () => {
    const go = Promise.withResolvers<void>()
    const maker = keyMaker({
      box: makeSecretBox({ secrets: [secret], purpose: 'dkim' }),
      generate: async (algorithm) => {
        await go.promise
        return fakeKey(algorithm)
      },
    })
    const make = (of: string) => maker.make({ id: 'dom_1', workspace: of }, ['rsa', 'ed25519'])
    const flood = Array.from({ length: 80 }, (_, index) => make(`ws_${index % 20}`))
    const ends = Promise.allSettled(flood)
    const mine = make('ws_mine')
    go.resolve()
    assert.equal((await mine).length, 2)
    const refused = (await ends).filter(({ status }) => status === 'rejected').length
    assert.equal(refused, 80 - 40)
  })
})

describe('DNS queries of a workspace', () => {
  it('are counted, and a workspace with many is checked later, with a bounded delay', async () => {
    const questions = switchedLimiter('domain-questions')
    await using rig = await testDomains({ limiter: questions.limiter, limits: { checks: 0 } })
    const { id, records } = await rig.domains.Create(example)
    const verify = async () => (await rig.domains.Verify({ workspace, id, actor })).status
    const due = async () => (await rig.store.get(workspace, id))?.nextCheckAt
    assert.equal(await verify(), 'pending')
    assert.ok(questions.cost > 20, `${questions.cost}`)
    questions.isClosed = true
    publish(rig.dns, 'example.com', records)
    const queriesBefore = rig.dns.queries.length
    rig.time.at += 3_600_000
    const { domain, fence } = (await rig.store.get(workspace, id)) ?? assert.fail()
    await rig.store.write(id, fence, { domain, nextCheckAt: rig.time.at + 86_400_000 }, [])
    for (let round = 0; round < 3; round++) {
      assert.equal(await verify(), 'pending')
      assert.equal(await due(), noon + 3_660_000)
      rig.time.at += 1_000
    }
    assert.equal(rig.dns.queries.length, queriesBefore)
    questions.isClosed = false
    assert.equal(await verify(), 'verified')
  })
})
