import assert from 'node:assert/strict'
import { selectorOf, tokenOf } from './keys.ts'
import { afterCheck } from './life.ts'
import { expectedRecords } from './records.ts'
import { recordViews } from './recordViews.ts'
import { changed, checkZone, edKey, pending, rsaKey, token, withBounces, withoutBounces } from './zones.conformance.ts'

const spf = 'v=spf1 include:bounces.postrider.example ~all'

describe('records of a domain', () => {
  it('are the whole values to enter, with fully qualified names', () => {
    assert.deepEqual(
      expectedRecords(pending(), withBounces).map(({ type, name, value, priority, required }) => [
        type,
        name,
        value,
        priority,
        required,
      ]),
      [
        ['TXT', '_postrider.example.com', `postrider-verification=${token}`, undefined, true],
        ['TXT', 'prr1._domainkey.example.com', rsaKey.publicRecord, undefined, true],
        ['TXT', 'pre1._domainkey.example.com', edKey.publicRecord, undefined, false],
        ['MX', 'bounces.example.com', 'bounces.postrider.example', 10, false],
        ['TXT', 'bounces.example.com', spf, undefined, false],
        ['TXT', '_dmarc.example.com', 'v=DMARC1; p=none', undefined, false],
      ],
    )
  })

  it('have no return path without a domain that receives bounces', () => {
    const purposes = expectedRecords(pending(), withoutBounces).map(({ purpose }) => purpose)
    assert.deepEqual(purposes, ['ownership', 'dkim', 'dkim', 'dmarc'])
  })

  it('are unknown before the first check', () => {
    const views = recordViews(pending(), withBounces)
    assert.deepEqual(
      views.map(({ status, found, problem }) => [status, found, problem]),
      Array(6).fill(['unknown', null, undefined]),
    )
  })

  it('show what DNS has, and a value that is derived from it', () => {
    const zone = changed({
      'TXT _postrider.example.com': ['a', 'b'],
      'TXT _dmarc.example.com': ['v=DMARC1; p=reject; adkim=s'],
    })
    const { records } = checkZone(pending(), withBounces, zone)
    const { domain } = afterCheck(pending(), records, { now: 0, jitter: 0, eventId: 'evt_1' })
    const views = recordViews(domain, withBounces)
    assert.deepEqual([views[0]?.found, views[0]?.status], ['a\nb', 'wrong'])
    assert.deepEqual([views[3]?.found, views[3]?.problem], ['10 bounces.postrider.example', undefined])
    assert.deepEqual([views[5]?.value, views[5]?.status], ['v=DMARC1; p=reject; adkim=r', 'wrong'])
  })

  it('never contain a private key', () => {
    assert.ok(!JSON.stringify(recordViews(pending(), withBounces)).includes('sealed'))
  })

  it('have selectors and tokens of letters and digits that differ', () => {
    const random = Uint8Array.from({ length: 26 }, (_, i) => i * 11)
    assert.match(selectorOf('rsa', random), /^prr[a-z2-9]{8}$/)
    assert.match(selectorOf('ed25519', random), /^pre[a-z2-9]{8}$/)
    assert.match(tokenOf(random), /^[a-z2-9]{26}$/)
    assert.notEqual(tokenOf(random), tokenOf(random.toReversed()))
  })
})
