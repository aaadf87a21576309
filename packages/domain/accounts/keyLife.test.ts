import assert from 'node:assert/strict'
import { dayMs, hourMs } from '../time.ts'
import { hashApiKey } from './apiKey.ts'
import {
  keyChangeProblems,
  newKeyRecord,
  rolledKey,
  rollRefusal,
  unusedAfterMs,
  unusedSince,
  useRefusal,
  usesSlot,
} from './keyLife.ts'

const now = Date.UTC(2026, 0, 1)
const settings = {
  ...{ workspace: 'ws_1', name: 'server', scopes: ['emails:send'], mode: 'live' as const, expiresAt: null },
  ...{ domains: ['example.com'], networks: ['10.0.0.0/8'], recipients: [] },
}
const secret = 'pr_live_abcdefghijklmnop'
const key = newKeyRecord({ id: 'key_1', secret, now }, settings)
const revoked = { ...key, revokedAt: now }
const expired = { ...key, expiresAt: now }
const replaced = { ...key, rolledTo: 'key_2', expiresAt: now + dayMs }

describe('new API key', () => {
  it('begins its own family and is not used', () => {
    assert.deepEqual(key, {
      ...settings,
      ...{ id: 'key_1', hash: hashApiKey(secret), prefix: 'pr_live_abcd', lastFour: 'mnop' },
      ...{ family: 'key_1', rolledFrom: null, rolledTo: null, createdAt: now },
      ...{ lastUsedAt: null, lastUsedFrom: '', revokedAt: null },
    })
  })
})

describe('use of an API key', () => {
  it('is refused after a revocation and from the expiry on', () => {
    assert.equal(useRefusal(key, now), null)
    assert.equal(useRefusal({ ...key, expiresAt: now + 1 }, now), null)
    assert.match(useRefusal(expired, now) ?? '', /expired at 2026-01-01T00:00:00.000Z/)
    assert.match(useRefusal({ ...expired, revokedAt: now }, now + 1) ?? '', /revoked at 2026-01-01T00:00:00.000Z/)
  })

  it('needs a slot of the workspace until the key is revoked or replaced', () => {
    assert.deepEqual([key, expired, revoked, replaced].map(usesSlot), [true, true, false, false])
  })
})

describe('replacement of an API key', () => {
  it('gives its settings, expiry and family to the successor', () => {
    const old = { ...key, family: 'key_0', expiresAt: now + 9 * dayMs, lastUsedAt: now, lastUsedFrom: '10.0.0.1' }
    const fresh = { id: 'key_2', secret, now: now + hourMs, overlapMs: dayMs }
    const { successor, replaced: after } = rolledKey(old, fresh)
    const expected = newKeyRecord(fresh, { ...settings, expiresAt: old.expiresAt })
    assert.deepEqual(successor, { ...expected, family: 'key_0', rolledFrom: 'key_1' })
    assert.deepEqual(after, { ...old, rolledTo: 'key_2', expiresAt: now + hourMs + dayMs })
  })

  it('leaves an earlier expiry of the replaced key', () => {
    const old = { ...key, expiresAt: now + hourMs }
    assert.equal(rolledKey(old, { id: 'key_2', secret, now, overlapMs: dayMs }).replaced.expiresAt, now + hourMs)
  })

  const refusals: [name: string, key: typeof key, text: RegExp | null][] = [
    ['is allowed for a valid key', key, null],
    ['is refused for a revoked key', revoked, /is revoked/],
    ['is refused for a replaced key', replaced, /replaced by key_2 already/],
    ['is refused for an expired key', expired, /expired at/],
  ]
  for (const [name, one, text] of refusals)
    it(name, () => {
      const refusal = rollRefusal(one, now)
      if (text === null) assert.equal(refusal, null)
      else assert.match(refusal ?? '', text)
    })
})

describe('change of an API key', () => {
  const codes = (change: Parameters<typeof keyChangeProblems>[0], one = key) =>
    keyChangeProblems(change, one, now).map(({ path, code }) => `${path} ${code}`)

  it('checks the given fields alone', () => {
    assert.deepEqual(codes({}), [])
    assert.deepEqual(codes({ scopes: [] }), ['scopes empty'])
    assert.deepEqual(codes({ expires_at: now }), ['expires_at in_the_past'])
  })

  it('lets a replaced key expire earlier and not later', () => {
    assert.deepEqual(codes({ expires_at: now + hourMs }, replaced), [])
    assert.deepEqual(codes({ expires_at: now + dayMs }, replaced), [])
    assert.deepEqual(codes({ expires_at: now + dayMs + 1 }, replaced), ['expires_at too_late'])
    assert.deepEqual(codes({ expires_at: null }, replaced), ['expires_at too_late'])
    assert.deepEqual(codes({ expires_at: null }, { ...replaced, expiresAt: null }), [])
  })
})

describe('unused API key', () => {
  it('is a valid one without a use for a long time', () => {
    const at = now + unusedAfterMs
    assert.equal(unusedSince(key, at - 1), null)
    assert.equal(unusedSince(key, at), now)
    assert.equal(unusedSince({ ...key, lastUsedAt: now + 1 }, at), null)
    assert.equal(unusedSince(revoked, at), null)
    assert.equal(unusedSince({ ...key, expiresAt: at }, at), null)
  })
})
