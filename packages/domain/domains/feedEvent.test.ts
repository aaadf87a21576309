import assert from 'node:assert/strict'
import { platformWorkspace, type SendingDomain } from './domain.ts'
import { newDomainEvent, newDomainNotice } from './feedEvent.ts'
import { afterCheck } from './life.ts'
import { changed, checkZone, complete, pending, withBounces, type Zone } from './zones.conformance.ts'

const hour = 3_600_000
const missing = changed({ 'TXT prr1._domainkey.example.com': undefined })

let events = 0
const check = (domain: SendingDomain, zone: Zone, now: number): SendingDomain =>
  afterCheck(domain, checkZone(domain, withBounces, zone, now).records, {
    now,
    jitter: 0.5,
    eventId: `evt_${++events}`,
  }).domain

describe('events of a domain', () => {
  it('are one for each change between usable and not, and an internal one for a warning', () => {
    const seen: string[] = []
    let domain = pending({}, 0)
    const checks: [zone: Zone, now: number][] = [
      [complete, 0],
      [missing, hour],
      [missing, 2 * hour],
      [complete, 3 * hour],
      [missing, 4 * hour],
      [missing, 30 * hour],
      [complete, 31 * hour],
    ]
    for (const [zone, now] of checks) {
      const after = check(domain, zone, now)
      const [event, notice] = [newDomainEvent(domain, after), newDomainNotice(domain, after, 'evt_x')]
      seen.push(event?.type ?? notice?.type ?? 'none')
      assert.ok(event === null || notice === null)
      domain = after
    }
    const expected = ['verified', 'warning', '', '', 'warning', 'failed', 'verified']
    assert.deepEqual(
      seen,
      expected.map((type) => (type === '' ? 'none' : `domain.${type}`)),
    )
  })

  it('name the records that are missing', () => {
    const before = check(pending({}, 0), complete, 0)
    const notice = newDomainNotice(before, check(before, missing, hour), 'evt_x')
    const { problems, ...data } = (notice?.data ?? {}) as { problems?: { name: string; status: string }[] }
    assert.deepEqual(data, {
      domain_id: before.id,
      name: 'example.com',
      status: 'warning',
      sequence: 1,
      changed_at: '1970-01-01T01:00:00.000Z',
    })
    assert.deepEqual(
      problems?.map(({ name, status }) => [name, status]),
      [['prr1._domainkey.example.com', 'missing']],
    )
    assert.deepEqual([notice?.id, notice?.type, notice?.mode], ['evt_x', 'domain.warning', 'internal'])
  })

  it('are none for the domain of the platform', () => {
    const before = { ...check(pending({}, 0), complete, 0), workspace: platformWorkspace }
    const after = { ...before, status: 'warning' as const, warningSince: hour }
    assert.equal(newDomainNotice(before, after, 'evt_x'), null)
  })
})
