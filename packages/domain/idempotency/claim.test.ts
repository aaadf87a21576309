import assert from 'node:assert/strict'
import { dayMs } from '../time.ts'
import {
  afterFailure,
  type ClaimRequest,
  type Decision,
  decide,
  endedLease,
  forgetAt,
  type KeyRecord,
  maySpanDays,
  responseExpiresAt,
} from './claim.ts'

const [body, otherBody] = [Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2, 4)]

const request = (over: Partial<ClaimRequest> = {}) => ({
  scope: 'ws_1 live POST /emails',
  key: 'order-1',
  fingerprint: body,
  emailId: 'em_2',
  at: 5_000,
  leaseMs: 30_000,
  requestId: 'req_2',
  ...over,
})

const inFlight: KeyRecord = {
  fingerprint: body,
  emailId: 'em_1',
  acceptedAt: 1_000,
  leaseUntil: 5_001,
  requestId: 'req_1',
  response: null,
}
const answered: KeyRecord = { ...inFlight, response: { status: 202, body: '{"id":"em_1"}', expiresAt: 5_001 } }
const expired: KeyRecord = { ...inFlight, response: { status: 202, body: '{"id":"em_1"}', expiresAt: 5_000 } }

const leaseUntil = 35_000
const created = {
  write: 'create' as const,
  record: {
    fingerprint: body,
    emailId: 'em_2',
    acceptedAt: 5_000,
    leaseUntil,
    requestId: 'req_2',
    response: null,
  },
  claim: { kind: 'claimed' as const, emailId: 'em_2', acceptedAt: 5_000, takenOver: false, leaseUntil },
}
const takenOverUntil = (until: number, requestId = 'req_2'): Decision => ({
  write: 'renew',
  leaseUntil: until,
  requestId,
  claim: { kind: 'claimed', emailId: 'em_1', acceptedAt: 1_000, takenOver: true, leaseUntil: until },
})
const takenOver = takenOverUntil(leaseUntil)
const ownRepeat = { requestId: 'req_1', isRepeat: true }
const mismatch: Decision = { write: null, claim: { kind: 'mismatch' } }
const running: Decision = { write: null, claim: { kind: 'in_flight' } }
const replay: Decision = {
  write: null,
  claim: { kind: 'replay', emailId: 'em_1', status: 202, body: '{"id":"em_1"}' },
}
const createdWithOtherBody: Decision = { ...created, record: { ...created.record, fingerprint: otherBody } }

describe('decision on an idempotency key', () => {
  const cases: [name: string, record: KeyRecord | null, request: ClaimRequest, decision: Decision][] = [
    ['creates the record of a new key', null, request(), created],
    ['is in flight until the end of the lease', inFlight, request(), running],
    [
      'takes over at the end of the lease, with the first id and time',
      { ...inFlight, leaseUntil: 5_000 },
      request(),
      takenOver,
    ],
    ['takes over a record whose lease was ended', { ...inFlight, leaseUntil: endedLease }, request(), takenOver],
    [
      'takes over from itself when the gateway repeats its call',
      inFlight,
      request(ownRepeat),
      takenOverUntil(leaseUntil, 'req_1'),
    ],
    [
      'sets a later lease when it takes over from itself',
      { ...inFlight, leaseUntil },
      request(ownRepeat),
      takenOverUntil(leaseUntil + 1, 'req_1'),
    ],
    [
      'is in flight for the same request that is not a repeated call',
      inFlight,
      request({ requestId: 'req_1' }),
      running,
    ],
    ['is in flight for the repeated call of another request', inFlight, request({ isRepeat: true }), running],
    [
      'is in flight for a repeated call if an earlier release claimed the key',
      { ...inFlight, requestId: null },
      request(ownRepeat),
      running,
    ],
    ['replays the response to a repeated call', { ...answered, requestId: 'req_1' }, request(ownRepeat), replay],
    ['replays the response until it expires', answered, request(), replay],
    ['replays the response although the lease is over', { ...answered, leaseUntil: endedLease }, request(), replay],
    ['creates a new record when the response expires', expired, request(), created],
    ['is a mismatch for another body in flight', inFlight, request({ fingerprint: otherBody }), mismatch],
    [
      'is a mismatch for another body after the lease',
      { ...inFlight, leaseUntil: 0 },
      request({ fingerprint: otherBody }),
      mismatch,
    ],
    ['is a mismatch for another body with a response', answered, request({ fingerprint: otherBody }), mismatch],
    [
      'creates a new record for another body when the response expires',
      expired,
      request({ fingerprint: otherBody }),
      createdWithOtherBody,
    ],
    [
      'replays a response of release 0.1, which computed another fingerprint',
      answered,
      request({ fingerprint: otherBody, formerFingerprint: body }),
      replay,
    ],
    [
      'is a mismatch for a body with two other fingerprints',
      answered,
      request({ fingerprint: otherBody, formerFingerprint: otherBody }),
      mismatch,
    ],
    ['compares whole fingerprints', inFlight, request({ fingerprint: body.slice(0, 2) }), mismatch],
  ]
  for (const [name, record, requested, decision] of cases)
    it(name, () => assert.deepEqual(decide(record, requested), decision))
})

describe('claim of a failed request', () => {
  const cases: [code: string | null, end: ReturnType<typeof afterFailure>][] = [
    [null, 'end'],
    ['internal', 'end'],
    ['unavailable', 'end'],
    ['idempotency_in_flight', 'keep'],
    ['validation_failed', 'release'],
    ['quota_exceeded', 'release'],
    ['rate_limited', 'release'],
    ['forbidden', 'release'],
  ]
  for (const [code, end] of cases)
    it(`has the result “${end}” after ${code ?? 'an error that is no fault'}`, () =>
      assert.equal(afterFailure(code), end))
})

describe('deletion of an unanswered key', () => {
  it('is allowed a day after its lease', () => {
    assert.equal(forgetAt({ acceptedAt: 1_000, leaseUntil: 31_000 }), 31_000 + dayMs)
  })

  it('is allowed a day after the acceptance if an earlier release ended the lease', () => {
    assert.equal(forgetAt({ acceptedAt: 1_000, leaseUntil: endedLease }), 1_000 + dayMs)
  })
})

describe('response to an idempotency key', () => {
  it('expires some time after acceptance, or after the last scheduled time of its mail', () => {
    assert.equal(responseExpiresAt(1_000, [], 10), 1_010)
    assert.equal(responseExpiresAt(1_000, [null], 10), 1_010)
    assert.equal(responseExpiresAt(1_000, [null, 3_000, 2_000], 10), 3_010)
    assert.equal(responseExpiresAt(1_000, [500], 10), 1_010)
  })
})

describe('days of a repeated call', () => {
  const midnight = Date.UTC(2026, 10, 21)
  const cases: [at: string, now: number, maySpan: boolean][] = [
    ['1 ms before midnight', midnight - 1, false],
    ['at midnight', midnight, true],
    ['1 ms before the lease after midnight ends', midnight + 29_999, true],
    ['a lease after midnight', midnight + 30_000, false],
    ['at noon', midnight + dayMs / 2, false],
  ]
  for (const [at, now, maySpan] of cases)
    it(`${maySpan ? 'may differ' : 'are the same'} ${at}`, () => assert.equal(maySpanDays(now, 30_000), maySpan))
})
