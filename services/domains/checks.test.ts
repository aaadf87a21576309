import assert from 'node:assert/strict'
import type { KeyState } from '@postrider/domain/domains/domain.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import { actor, noon, publish, purposes, testDomains, unpublish, workspace } from '../../test/support/testDomains.ts'

const [hour, day] = [3_600_000, 86_400_000]
const example = { workspace, name: 'example.com', actor }

type Rig = Awaited<ReturnType<typeof testDomains>>

const verified = async (rig: Rig) => {
  const created = await rig.domains.Create(example)
  publish(rig.dns, 'example.com', created.records)
  await rig.domains.Verify({ workspace, id: created.id, actor })
  return created
}

/** Stops the answers of the DNS server until `resume` is called. `queried` resolves when the first query arrives. */
const pauseAnswers = (rig: Rig) => {
  const [queried, resume] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const zone = rig.dns.zones['example.com'] ?? assert.fail('no zone')
  zone.fault = () => {
    queried.resolve()
    return { until: () => resume.promise }
  }
  return { queried: queried.promise, resume: () => resume.resolve() }
}

describe('a check that a person requests', () => {
  it('is made now, and its audit entry names the person', async () => {
    await using rig = await testDomains()
    const { id } = await verified(rig)
    assert.equal((await rig.domains.Get({ workspace, id })).status, 'verified')
    const [entry] = rig.entries.filter(({ action }) => action === 'domain.status')
    const { id: _, ...line } = entry ?? assert.fail('no line')
    const change = { before: { status: 'pending' }, after: { status: 'verified' } }
    const by = { workspace, at: noon, actor, clientAddress: '' }
    assert.deepEqual(line, { ...by, action: 'domain.status', target: id, ...change })
  })

  it('is not made while another process checks the domain', async () => {
    await using rig = await testDomains()
    const created = await rig.domains.Create(example)
    const { domains: second } = await rig.open({ pause: async () => {} })
    publish(rig.dns, 'example.com', created.records)
    const paused = pauseAnswers(rig)
    const request = { workspace, id: created.id, actor }
    const first = rig.domains.Verify(request)
    await paused.queried
    assert.equal((await second.Verify(request)).status, 'pending')
    paused.resume()
    assert.equal((await first).status, 'verified')
    const queried = rig.dns.queries.filter(({ name, type }) => type === 'TXT' && name === '_postrider.example.com')
    assert.equal(queried.length, 1)
  })

  it('continues after the response if DNS is slow', async () => {
    await using rig = await testDomains()
    const created = await rig.domains.Create(example)
    const { domains } = await rig.open({ pause: async () => {} })
    publish(rig.dns, 'example.com', created.records)
    const paused = pauseAnswers(rig)
    const request = { workspace, id: created.id, actor }
    assert.equal((await domains.Verify(request)).status, 'pending')
    paused.resume()
    while ((await rig.stored(created.id)).status !== 'verified') await new Promise(setImmediate)
  })

  it('waits for the checker while too many of the workspace run', async () => {
    await using rig = await testDomains({ limits: { requestMs: 1_000_000 } })
    const created = []
    for (const label of ['a', 'b', 'c', 'd', 'e'])
      created.push(await rig.domains.Create({ ...example, name: `${label}.example.com` }))
    for (const { records } of created) publish(rig.dns, 'example.com', records)
    const paused = pauseAnswers(rig)
    const requests = created.map(({ id }) => ({ workspace, id, actor }))
    const running = requests.slice(0, 4).map((request) => rig.domains.Verify(request))
    await paused.queried
    const [last = assert.fail()] = requests.slice(4)
    assert.equal((await rig.domains.Verify(last)).status, 'pending')
    assert.equal((await rig.store.get(workspace, last.id))?.nextCheckAt, noon)
    paused.resume()
    assert.deepEqual(
      (await Promise.all(running)).map(({ status }) => status),
      Array(4).fill('verified'),
    )
    await rig.checkDue()
    assert.equal((await rig.stored(last.id)).status, 'verified')
  })

  // Regression: four zones whose servers answer late refused the requests of their workspace for 30 s.
  it('gives its slot to another request once its own request has a response', async () => {
    const limits = { checks: 0, requested: 8, requestedOfWorkspace: 2 }
    for (const limit of [{ requested: 1 }, { requestedOfWorkspace: 1 }]) {
      await using rig = await testDomains({ pause: async () => {}, limits: { ...limits, ...limit } })
      rig.dns.zones['slow.test'] = { names: {}, fault: { until: () => new Promise(() => {}) } }
      const slow = await rig.domains.Create({ ...example, name: 'slow.test' })
      const { id, records } = await rig.domains.Create(example)
      publish(rig.dns, 'example.com', records)
      assert.equal((await rig.domains.Verify({ workspace, id: slow.id, actor })).status, 'pending')
      await rig.domains.Verify({ workspace, id, actor })
      while ((await rig.stored(id)).status !== 'verified') await new Promise(setImmediate)
      while ((await rig.stored(slow.id)).lastCheck === null) await new Promise(setImmediate)
      const { status, lastCheck } = await rig.stored(slow.id)
      assert.deepEqual([status, lastCheck?.records[0]?.status], ['pending', 'unknown'])
    }
  })

  it('watches a domain closely again that is not verified', async () => {
    await using rig = await testDomains()
    const { id, records } = await rig.domains.Create(example)
    await rig.jump(5 * day)
    await rig.domains.Verify({ workspace, id, actor })
    publish(rig.dns, 'example.com', records)
    await rig.advance(hour)
    assert.equal((await rig.stored(id)).status, 'verified')
  })
})

describe('a check of a due domain', () => {
  it('is made by one of several processes', async () => {
    await using rig = await testDomains()
    for (let index = 0; index < 12; index++) await rig.domains.Create({ ...example, name: `d${index}.example.com` })
    const others = [await rig.open()]
    rig.time.at += hour
    await Promise.all([rig.checkDue(), ...others.map(({ checkDue }) => checkDue())])
    const ownership = rig.dns.queries.filter(
      ({ name, type }) => type === 'TXT' && /^_postrider\.d\d+\.example\.com$/.test(name),
    )
    assert.equal(new Set(ownership.map(({ name }) => name)).size, ownership.length)
    const { overdue } = await rig.store.counts(rig.time.at)
    assert.equal(overdue, 0)
  })

  it('counts although the domain was changed in the meantime, and the change stays', async () => {
    await using rig = await testDomains()
    const created = await rig.domains.Create(example)
    publish(rig.dns, 'example.com', created.records)
    const paused = pauseAnswers(rig)
    rig.time.at += hour
    const checking = rig.checkDue()
    await paused.queried
    await rig.domains.Update({ workspace, id: created.id, actor, subdomains: false })
    paused.resume()
    await checking
    const { status, subdomains } = await rig.stored(created.id)
    assert.deepEqual([status, subdomains], ['verified', false])
    assert.match(await rig.metrics.registry.metrics(), /postrider_domain_checks_total\{outcome="lost"\} 0\n/)
    const queried = rig.dns.queries.filter(({ name, type }) => type === 'TXT' && name === '_postrider.example.com')
    assert.equal(queried.length, 1)
  })

  // Regression: each change made the result of the running check void. A workspace that had lost the DNS of a name
  // changed its domain in a loop, remained verified, and no other workspace could verify the name.
  const changes: Record<string, (rig: Rig, id: string, round: number) => Promise<unknown>> = {
    'subdomains are switched': (rig, id, round) =>
      rig.domains.Update({ workspace, id, actor, subdomains: round % 2 === 0 }),
    'its key is rotated': (rig, id) => rig.domains.RotateKey({ workspace, id, actor }),
  }
  for (const [name, change] of Object.entries(changes))
    it(`finds a missing record although during each check ${name}`, async () => {
      await using rig = await testDomains()
      const { id, records } = await verified(rig)
      const zone = rig.dns.zones['example.com'] ?? assert.fail('no zone')
      unpublish(rig.dns, 'example.com', records)
      let round = 0
      const change1 = async () => {
        round += 1
        if (round < 300) await change(rig, id, round)
      }
      zone.fault = () => ({ until: change1 })
      rig.time.at += day
      await rig.checkDue()
      assert.equal((await rig.stored(id)).status, 'warning')
      rig.time.at += day
      await rig.checkDue()
      assert.equal((await rig.stored(id)).status, 'failed')
      const queried = rig.dns.queries.filter(({ name, type }) => type === 'TXT' && name === '_postrider.example.com')
      // The check that verified it, and one of each day: a change begins no further check.
      assert.equal(queried.length, 3)
    })

  // Regression: a few zones whose servers answer late occupied all slots for 30 s, again and again.
  it('ends for a slow zone while others wait, and records without an answer are unknown', async () => {
    await using rig = await testDomains({ limits: { checks: 2, patienceMs: 0 } })
    rig.dns.zones['slow.test'] = { names: {}, fault: { until: () => new Promise(() => {}) } }
    const slow = []
    for (const label of ['a', 'b', 'c']) slow.push(await rig.domains.Create({ ...example, name: `${label}.slow.test` }))
    rig.time.at += 1_000
    const { id, records } = await rig.domains.Create(example)
    publish(rig.dns, 'example.com', records)
    rig.time.at += hour
    const checking = rig.checkDue()
    while ((await rig.stored(id)).status !== 'verified') await new Promise(setImmediate)
    const known = await Promise.all(slow.map((one) => rig.stored(one.id)))
    for (const { status, lastCheck } of known) {
      assert.equal(status, 'pending')
      for (const record of lastCheck?.records ?? []) assert.equal(record.status, 'unknown')
    }
    await rig[Symbol.asyncDispose]()
    await checking
  })

  it('is made although the name has become a public suffix', async () => {
    await using rig = await testDomains()
    const { id } = await verified(rig)
    const { domain, fence } = (await rig.store.get(workspace, id)) ?? assert.fail()
    // As if a release with a newer list had been installed.
    await rig.store.write(id, fence, { domain: { ...domain, name: 'github.io' }, nextCheckAt: noon }, [])
    rig.dns.zones['github.io'] = { names: {} }
    await rig.checkDue()
    assert.equal((await rig.stored(id)).status, 'warning')
  })

  it('leaves a domain removed that was deleted in the meantime', async () => {
    await using rig = await testDomains()
    const created = await rig.domains.Create(example)
    const paused = pauseAnswers(rig)
    rig.time.at += hour
    const checking = rig.checkDue()
    await paused.queried
    await rig.domains.Delete({ workspace, id: created.id, actor })
    paused.resume()
    await checking
    assert.equal(await rig.store.get(workspace, created.id), null)
  })

  it('ends when its process stops, and another process makes it immediately', async () => {
    await using rig = await testDomains()
    const created = await rig.domains.Create(example)
    publish(rig.dns, 'example.com', created.records)
    const stopping = await rig.open()
    const paused = pauseAnswers(rig)
    rig.time.at += hour
    const checking = stopping.checkDue()
    await paused.queried
    await stopping[Symbol.asyncDispose]()
    await checking
    paused.resume()
    await rig.checkDue()
    assert.equal((await rig.stored(created.id)).status, 'verified')
  })

  it('is one of a bounded number', async () => {
    await using rig = await testDomains({ limits: { checks: 4 } })
    const first = await rig.domains.Create(example)
    const { domain } = (await rig.store.get(workspace, first.id)) ?? assert.fail()
    for (let index = 0; index < 20; index++) {
      const id = `${first.id.slice(0, -2)}${String(index).padStart(2, '0')}`
      await rig.store.insert({ ...domain, id, name: `d${index}.example.com` }, noon, 1_000, anEntry())
    }
    rig.time.at += hour
    const begun = new Set<string>()
    const zone = rig.dns.zones['example.com'] ?? assert.fail()
    const resume = Promise.withResolvers<void>()
    const full = Promise.withResolvers<void>()
    zone.fault = () => {
      for (const { name } of rig.dns.queries) if (name.startsWith('_postrider.')) begun.add(name)
      if (begun.size >= 4) full.resolve()
      return { until: () => resume.promise }
    }
    const checking = rig.checkDue()
    await full.promise
    assert.equal(begun.size, 4)
    resume.resolve()
    await checking
    assert.equal((await rig.store.counts(rig.time.at)).overdue, 0)
  })
})

describe('rotation of keys', () => {
  const states = async (rig: Rig, id: string) => {
    const { keys } = await rig.stored(id)
    return keys.map(({ algorithm, state }): [string, KeyState] => [algorithm, state])
  }

  it('starts by itself when the operator has enabled it, once per period', async () => {
    await using rig = await testDomains({ rotationDays: 30 })
    const { id } = await verified(rig)
    await rig.jump(29 * day)
    assert.equal((await states(rig, id)).length, 2)
    await rig.jump(2 * day)
    assert.equal((await states(rig, id)).length, 4)
    await rig.jump(40 * day)
    assert.deepEqual((await states(rig, id)).filter(([, state]) => state === 'shown').length, 2)
    const rotations = rig.entries.filter(({ action }) => action === 'domain.rotate_key')
    assert.deepEqual(
      rotations.map((entry) => entry.actor),
      ['system'],
    )
    assert.equal((await rig.stored(id)).status, 'verified')
  })

  it('is never started by itself by default', async () => {
    await using rig = await testDomains()
    const { id } = await verified(rig)
    await rig.jump(400 * day)
    assert.deepEqual(await states(rig, id), [
      ['rsa', 'active'],
      ['ed25519', 'active'],
    ])
  })

  it('keeps one set of new keys when several people request them at the same time', async () => {
    await using rig = await testDomains()
    const { id } = await verified(rig)
    const { domains: second } = await rig.open()
    const request = { workspace, id, actor }
    const all = await Promise.all([
      rig.domains.RotateKey(request),
      second.RotateKey(request),
      second.RotateKey(request),
    ])
    for (const { records } of all) assert.equal(records.filter(({ purpose }) => purpose === 'dkim').length, 4)
    assert.equal((await states(rig, id)).filter(([, state]) => state === 'shown').length, 2)
    assert.equal(rig.entries.filter(({ action }) => action === 'domain.rotate_key').length, 1)
  })

  it('replaces the keys of a domain that was never verified', async () => {
    await using rig = await testDomains()
    const created = await rig.domains.Create(example)
    const rotated = await rig.domains.RotateKey({ workspace, id: created.id, actor })
    const [before, after] = [purposes(created, 'dkim'), purposes(rotated, 'dkim')]
    assert.deepEqual([before.length, after.length], [2, 2])
    for (const { name } of before) assert.ok(!after.some((record) => record.name === name))
  })
})
