import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { DomainStatus, RecordCheck, RecordStatus, SendingDomain } from './domain.ts'
import { isRotationDue, retiringMs, rotatedAlgorithms, signingKeys, withRotation } from './keys.ts'
import {
  afterCheck,
  changesBetween,
  checkAfterChange,
  graceMs,
  maxEvents,
  nextCheckAt,
  takenRecords,
  withCheckNow,
} from './life.ts'
import { recordViews } from './recordViews.ts'
import { changed, checkZone, complete, keyOf, pending, withBounces, type Zone } from './zones.conformance.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const dkimTxt = 'TXT prr1._domainkey.example.com'
const broken = changed({ [dkimTxt]: undefined })
const silent = changed({ [dkimTxt]: '!servfail', 'TXT _postrider.example.com': '!timeout' })

let events = 0
/** Checks a domain against a zone, without jitter. */
const check = (domain: SendingDomain, zone: Zone, now: number): SendingDomain =>
  afterCheck(domain, checkZone(domain, withBounces, zone, now).records, {
    now,
    jitter: 0.5,
    eventId: `evt_${++events}`,
  }).domain

const verified = (now = 0): SendingDomain => check(pending({}, now), complete, now)
const eventsOf = ({ events: list }: SendingDomain) => list.map(({ type, at, sequence }) => [sequence, type, at])

describe('life of a domain', () => {
  it('passes from pending through warning and failure to verified again', () => {
    let domain = check(pending(), {}, 0)
    const seen: [number, DomainStatus][] = []
    const run = (zone: Zone, until: number) => {
      for (let now = domain.lastCheck?.at ?? 0; now < until; ) {
        now = Math.min(nextCheckAt(domain, now, 0.5), until)
        domain = check(domain, zone, now)
        if (seen.at(-1)?.[1] !== domain.status) seen.push([now, domain.status])
      }
    }
    run(changed({ 'TXT _postrider.example.com': undefined }), 2 * hour)
    run(complete, 30 * day)
    run(broken, 30 * day + 6 * hour)
    run(silent, 30 * day + 7 * hour)
    run(complete, 40 * day)
    run(broken, 60 * day)
    run(silent, 61 * day)
    run(complete, 70 * day)
    assert.deepEqual(
      seen.map(([, status]) => status),
      ['pending', 'verified', 'warning', 'verified', 'warning', 'failed', 'verified'],
    )
    const [, , , , warned = [0], failed = [0]] = seen
    assert.equal(failed[0] - warned[0], graceMs)
    assert.deepEqual(
      domain.events.map(({ sequence, type }) => [sequence, type]),
      [
        [1, 'domain.verified'],
        [2, 'domain.failed'],
        [3, 'domain.verified'],
      ],
    )
  })

  it('is verified by a check that finds every required record, with an event', () => {
    const domain = verified(5_000)
    assert.deepEqual([domain.status, domain.verifiedAt, domain.warningSince], ['verified', 5_000, null])
    assert.deepEqual(eventsOf(domain), [[1, 'domain.verified', 5_000]])
    assert.equal(domain.returnPathVerified, true)
  })

  it('is verified without the records that are recommended', () => {
    const zone = Object.fromEntries(Object.entries(complete).slice(0, 2))
    const domain = check(pending(), zone, 0)
    assert.deepEqual([domain.status, domain.returnPathVerified], ['verified', false])
  })

  for (const name of [dkimTxt, 'TXT _postrider.example.com']) {
    it(`warns immediately and fails 24 h later when ${name} disappears`, () => {
      const zone = changed({ [name]: undefined })
      const warned = check(verified(), zone, day)
      assert.deepEqual([warned.status, warned.warningSince], ['warning', day])
      assert.equal(check(warned, zone, 2 * day - 1).status, 'warning')
      const failed = check(warned, zone, 2 * day)
      assert.deepEqual([failed.status, failed.warningSince], ['failed', day])
      assert.equal(eventsOf(failed).at(-1)?.[1], 'domain.failed')
    })
  }

  it('never fails while DNS does not answer, however long', () => {
    const warned = check(verified(), broken, day)
    assert.equal(check(verified(), silent, 9 * day).status, 'verified')
    assert.equal(check(warned, silent, 9 * day).status, 'warning')
    assert.equal(check(check(warned, silent, 9 * day), complete, 10 * day).status, 'verified')
  })

  it('has no event for a warning that ends in time', () => {
    const domain = check(check(verified(), broken, day), complete, day + hour)
    assert.deepEqual([domain.status, domain.warningSince], ['verified', null])
    assert.equal(domain.events.length, 1)
  })

  it('restarts the 24 h when the records were right in between', () => {
    const again = check(check(check(verified(), broken, day), complete, day + hour), broken, day + 2 * hour)
    assert.equal(check(again, broken, 2 * day + hour).status, 'warning')
    assert.equal(check(again, broken, 2 * day + 2 * hour).status, 'failed')
  })

  it('stays pending while another workspace has the name, with a sentence that explains it', () => {
    const { records } = checkZone(pending(), withBounces, complete, 0)
    const taken = takenRecords(records, 'example.com')
    const { domain } = afterCheck(pending(), taken, { now: 0, jitter: 0.5, eventId: 'evt_1' })
    assert.equal(domain.status, 'pending')
    assert.deepEqual(domain.events, [])
    assert.equal(
      domain.lastCheck?.records[0]?.problem,
      'Another workspace has verified example.com. Remove its record from _postrider.example.com: 24 h later, this workspace can verify the domain.',
    )
  })

  it('loses the aligned return path when a record is missing, but not when DNS does not answer', () => {
    const mx = 'MX bounces.example.com'
    assert.equal(check(verified(), changed({ [mx]: '!servfail' }), hour).returnPathVerified, true)
    const without = check(verified(), changed({ [mx]: undefined }), hour)
    assert.deepEqual([without.status, without.returnPathVerified], ['verified', false])
    assert.equal(check(without, changed({ [mx]: '!servfail' }), hour).returnPathVerified, false)
    assert.equal(check(without, complete, hour).returnPathVerified, true)
  })

  it('stores a bounded number of events', () => {
    let domain = verified()
    for (let i = 1; i < 2 * maxEvents; i++) domain = check(domain, [complete, broken, broken][i % 3] ?? {}, i * day)
    assert.equal(domain.events.length, maxEvents)
    assert.ok((domain.events[0]?.sequence ?? 0) > 1)
    const sequences = domain.events.map(({ sequence }) => sequence)
    assert.deepEqual(
      sequences,
      sequences.map((_, i) => (sequences[0] ?? 0) + i),
    )
  })

  it('returns its changes for the audit log', () => {
    assert.deepEqual(changesBetween(pending(), verified()), [
      { kind: 'status', from: 'pending', to: 'verified' },
      { kind: 'key', selector: 'prr1', from: 'shown', to: 'active' },
      { kind: 'key', selector: 'pre1', from: 'shown', to: 'active' },
    ])
    assert.deepEqual(changesBetween(verified(), verified()), [])
  })

  it('a domain survives JSON without a change', () => {
    const domain = check(withRotation(verified(), [keyOf('prr2', 'rsa', 'x')], hour), broken, day)
    assert.deepEqual(JSON.parse(JSON.stringify(domain)), domain)
  })
})

describe('random checks of a domain', () => {
  const state = fc.constantFrom<RecordStatus>('found', 'found', 'missing', 'wrong', 'unknown', 'unknown')
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 30 * hour }), state, state, state), { maxLength: 60 })
  const next: Record<DomainStatus, DomainStatus[]> = {
    pending: ['pending', 'verified'],
    verified: ['verified', 'warning'],
    warning: ['warning', 'verified', 'failed'],
    failed: ['failed', 'verified'],
  }
  const row = (purpose: 'ownership' | 'dkim', name: string, status: RecordStatus): RecordCheck => ({
    ...{ purpose, type: 'TXT', name, status, found: [], problem: null, foundAt: null },
  })

  it('never skip the warning, and never fail a domain without an answer', () => {
    fc.assert(
      fc.property(steps, (list) => {
        let [domain, now] = [pending(), 0]
        for (const [pause, ownership, rsa, ed25519] of list) {
          now += pause
          const records = [
            row('ownership', '_postrider.example.com', ownership),
            row('dkim', 'prr1._domainkey.example.com', rsa),
            row('dkim', 'pre1._domainkey.example.com', ed25519),
          ]
          const before = domain
          const result = afterCheck(before, records, { now, jitter: 0.5, eventId: 'evt_x' })
          domain = result.domain
          const required = [ownership, rsa]
          const isBad = required.some((one) => one === 'missing' || one === 'wrong')
          assert.ok(next[before.status].includes(domain.status), `${before.status} → ${domain.status}`)
          if (required.every((one) => one === 'found')) assert.equal(domain.status, 'verified')
          if (!isBad) assert.ok(domain.status === before.status || domain.status === 'verified')
          if (domain.status === 'failed' && before.status !== 'failed') {
            assert.ok(isBad && now - (before.warningSince ?? now) >= graceMs)
          }
          assert.equal(domain.warningSince !== null, domain.status === 'warning' || domain.status === 'failed')
          assert.ok(result.nextCheckAt > now && result.nextCheckAt <= now + 1.1 * day)
          const types = domain.events.map(({ type }) => type)
          assert.ok(types.every((type, i) => type === (i % 2 === 0 ? 'domain.verified' : 'domain.failed')))
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('schedule of checks', () => {
  const ages: [string, number, number][] = [
    ['at first', 0, minute / 3],
    ['after 3 min', 3 * minute, 5 * minute],
    ['before 24 h', day - 1, 5 * minute],
    ['after 24 h', day, hour],
    ['before 72 h', 3 * day - 1, hour],
    ['after 72 h', 3 * day, day],
    ['after a year', 365 * day, day],
  ]
  for (const [when, age, every] of ages)
    it(`repeats a check every ${every / 1_000} s ${when}`, () => {
      assert.equal(nextCheckAt(pending(), age, 0.5) - age, every)
      assert.equal(nextCheckAt(pending(), age, 0) - age, 0.9 * every)
      assert.equal(nextCheckAt(pending(), age, 1) - age, Math.round(1.1 * every))
    })

  it('queries servers of a domain in use that did not answer again within the hour', () => {
    const domain = check(verified(), silent, 30 * day)
    assert.equal(nextCheckAt(domain, 30 * day, 0.5), 30 * day + hour)
    assert.equal(nextCheckAt(check(pending(), silent, 30 * day), 30 * day, 0.5), 31 * day)
  })

  it('watches a broken domain closely, and checks it when the 24 h end', () => {
    const domain = check(verified(), broken, 30 * day)
    assert.equal(nextCheckAt(domain, 30 * day, 0.5), 30 * day + minute / 3)
    assert.equal(nextCheckAt(domain, 31 * day - minute, 0.5), 31 * day)
    const failed = check(domain, broken, 31 * day)
    assert.equal(nextCheckAt(failed, 31 * day, 0.5), 31 * day + hour)
    assert.equal(nextCheckAt(failed, 33 * day, 0.5), 34 * day)
  })

  it('starts again when a person requests a check, except for a verified domain', () => {
    assert.deepEqual(withCheckNow(pending(), 9 * day), {
      domain: pending({ watchedSince: 9 * day }),
      nextCheckAt: 9 * day,
    })
    const domain = verified()
    assert.deepEqual(withCheckNow(domain, 9 * day), { domain, nextCheckAt: 9 * day })
  })
})

describe('rotation of DKIM keys', () => {
  const next = keyOf('prr2', 'rsa', `${'B'.repeat(384)}IDAQAB`)
  const nextEd = keyOf('pre2', 'ed25519', 'Z1qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=')
  const withNext = changed({ 'TXT prr2._domainkey.example.com': [next.publicRecord] })
  const withBoth = changed({ 'TXT pre2._domainkey.example.com': [nextEd.publicRecord] }, withNext)
  const states = ({ keys }: SendingDomain) => keys.map(({ selector, state }) => `${selector} ${state}`)
  const signs = (domain: SendingDomain) => signingKeys(domain).map(({ selector }) => selector)
  const views = (domain: SendingDomain) =>
    recordViews(domain, withBounces).flatMap(({ purpose, name, required, status, problem }) =>
      purpose === 'dkim' ? [[name.split('.')[0], required, status, problem]] : [],
    )

  it('signs with the old key until the record of the new one is found, and keeps the old record for 7 days', () => {
    let domain = withRotation(verified(), [next, nextEd], day)
    assert.deepEqual(states(domain), ['prr2 shown', 'pre2 shown', 'prr1 active', 'pre1 active'])
    domain = check(domain, complete, day)
    assert.deepEqual([signs(domain), domain.status], [['prr1', 'pre1'], 'verified'])
    assert.equal(views(domain)[0]?.[1], false)
    domain = check(domain, withBoth, 2 * day)
    assert.deepEqual(states(domain), ['prr2 active', 'pre2 active', 'prr1 retiring', 'pre1 retiring'])
    assert.deepEqual(signs(domain), ['prr2', 'pre2'])
    const until = new Date(2 * day + retiringMs).toISOString()
    const replaced = `This key was replaced. Keep this record until ${until}: mail that was signed earlier is verified with it.`
    assert.deepEqual(views(domain), [
      ['prr2', true, 'found', undefined],
      ['pre2', false, 'found', undefined],
      ['prr1', false, 'found', replaced],
      ['pre1', false, 'found', replaced],
    ])
    domain = check(domain, withBoth, 2 * day + retiringMs - 1)
    assert.equal(states(domain)[2], 'prr1 retiring')
    domain = check(domain, withBoth, 2 * day + retiringMs)
    assert.equal(states(domain)[2], 'prr1 removable')
    const removable = 'This key is no longer used. You can remove this record.'
    assert.deepEqual(views(domain)[2], ['prr1', false, 'found', removable])
    domain = check(domain, changed({ [dkimTxt]: undefined }, withBoth), 20 * day)
    assert.deepEqual([states(domain), domain.status], [['prr2 active', 'pre2 active', 'pre1 removable'], 'verified'])
  })

  it('removes the private key when it is replaced', () => {
    const domain = check(withRotation(verified(), [next], day), withNext, day)
    assert.equal(domain.keys.find(({ selector }) => selector === 'prr1')?.sealed, null)
  })

  it('requires an old record that was removed too early, without a warning', () => {
    let domain = check(withRotation(verified(), [next], day), withNext, day)
    domain = check(domain, changed({ [dkimTxt]: undefined }, withNext), 2 * day)
    assert.equal(domain.status, 'verified')
    const until = new Date(day + retiringMs).toISOString()
    assert.equal(
      views(domain)[1]?.[3],
      `Add this record again and keep it until ${until}: mail that was signed earlier is verified with it.`,
    )
  })

  it('changes to the new key without a warning when the old record is replaced by the new one', () => {
    const zone = changed({ [dkimTxt]: undefined }, withNext)
    const domain = check(withRotation(verified(), [next], day), zone, day)
    assert.deepEqual([domain.status, signs(domain)], ['verified', ['prr2', 'pre1']])
  })

  it('warns when the record of the key that signs disappears during a rotation', () => {
    const domain = check(withRotation(verified(), [next], day), broken, day)
    assert.deepEqual([domain.status, signs(domain)], ['warning', ['prr1', 'pre1']])
  })

  it('needs two new keys, only RSA, or none', () => {
    const rsaOnly = check(pending(), changed({ 'TXT pre1._domainkey.example.com': undefined }), 0)
    assert.deepEqual(rotatedAlgorithms(verified()), ['rsa', 'ed25519'])
    assert.deepEqual(rotatedAlgorithms(rsaOnly), ['rsa'])
    assert.deepEqual(rotatedAlgorithms(withRotation(verified(), [next], 0)), [])
    assert.deepEqual(rotatedAlgorithms(pending()), ['rsa', 'ed25519'])
  })

  it('replaces the shown keys of a domain that signed nothing', () => {
    assert.deepEqual(states(withRotation(pending(), [next, nextEd], day)), ['prr2 shown', 'pre2 shown'])
  })

  it('signs with Ed25519 only while its record is found', () => {
    const without = changed({ 'TXT pre1._domainkey.example.com': undefined })
    const domain = check(verified(), without, day)
    assert.deepEqual([domain.status, signs(domain)], ['verified', ['prr1']])
    assert.deepEqual(signs(check(verified(), changed({ 'TXT pre1._domainkey.example.com': '!timeout' }), day)), [
      'prr1',
      'pre1',
    ])
    assert.deepEqual(signs(check(domain, complete, 2 * day)), ['prr1', 'pre1'])
  })

  it('stores a bounded number of old keys', () => {
    let domain = verified()
    let zone = complete
    for (let i = 0; i < 20; i++) {
      const key = keyOf(`prr${i + 10}`, 'rsa', `${'C'.repeat(380)}${i + 10}AQAB`)
      zone = changed({ [`TXT ${key.selector}._domainkey.example.com`]: [key.publicRecord] }, zone)
      domain = check(withRotation(domain, [key], i * day), zone, i * day)
    }
    assert.equal(domain.keys.length, 6)
    assert.deepEqual(signs(domain), ['prr29', 'pre1'])
  })

  it('is due by itself only where the operator enabled it', () => {
    const domain = verified()
    assert.equal(isRotationDue(domain, 90 * day, null), false)
    assert.equal(isRotationDue(domain, 90 * day - 1, 90 * day), false)
    assert.equal(isRotationDue(domain, 90 * day, 90 * day), true)
    assert.equal(isRotationDue(withRotation(domain, [next], 90 * day), 91 * day, 90 * day), false)
    assert.equal(isRotationDue(check(domain, broken, day), 90 * day, 90 * day), false)
  })
})

describe('next check after a change by a person', () => {
  it('is made at the requested time at the latest', () => {
    const stored = { nextCheckAt: 5_000, leaseUntil: null }
    assert.equal(checkAfterChange(stored, 1_000, 1_000), 1_000)
    assert.equal(checkAfterChange(stored, 9_000, 1_000), 5_000)
    assert.equal(checkAfterChange(stored, null, 1_000), 5_000)
  })

  it('is not made before the lease of a check that runs would have ended', () => {
    assert.equal(checkAfterChange({ nextCheckAt: 500, leaseUntil: 8_000 }, 1_000, 1_000), 8_000)
    assert.equal(checkAfterChange({ nextCheckAt: 500, leaseUntil: 1_000 }, 1_000, 1_000), 500)
  })
})
