import assert from 'node:assert/strict'
import { disabledChange, isValidSession, newUser, sessionFacts, unprovenFactor } from './users.ts'

describe('validity of a session', () => {
  const limits = { sessionAgeMs: 100, sessionIdleMs: 10 }
  const cases: [createdAt: number, seenAt: number, sessionsSince: number, isDisabled: boolean, expected: boolean][] = [
    [901, 991, 0, false, true],
    [900, 991, 0, false, false],
    [901, 990, 0, false, false],
    [950, 995, 950, false, true],
    [950, 995, 951, false, false],
    [950, 995, 950, true, false],
  ]
  for (const [createdAt, seenAt, sessionsSince, isDisabled, expected] of cases)
    it(`made at ${createdAt}, used at ${seenAt}, of ${isDisabled ? 'a disabled' : 'a'} user is ${expected ? '' : 'not '}valid at 1000 if sessions count since ${sessionsSince}`, () => {
      assert.equal(isValidSession({ createdAt, seenAt }, { sessionsSince, isDisabled }, 1_000, limits), expected)
    })
})

describe('user who is enabled again', () => {
  const disabled = { at: 5, reason: '' }

  it('has sessions since then, or since a later change of the password', () => {
    assert.deepEqual(disabledChange({ sessionsSince: 7 }, null, 9), { disabled: null, sessionsSince: 9 })
    assert.deepEqual(disabledChange({ sessionsSince: 7 }, null, 6), { disabled: null, sessionsSince: 7 })
    assert.deepEqual(disabledChange({ sessionsSince: 7 }, disabled, 9), { disabled, sessionsSince: 7 })
  })
})

describe('user of a session', () => {
  const user = {
    ...newUser({ id: 'usr_1', email: 'ada@example.com', passwordHash: '', createdAt: 1 }),
    ...{ operatorSince: null, disabledAt: null },
  }

  it('is shown without a second factor, confirmation or mark at first', () => {
    assert.deepEqual(sessionFacts({ totpEnabledAt: null }, user), {
      ...{ email: 'ada@example.com', isEmailConfirmed: false, hasTotp: false, hasPassedTotp: false },
      ...{ isOperator: false, isDisabled: false, sessionsSince: 0 },
    })
  })

  it('is shown with what was set', () => {
    const set = { ...user, emailConfirmedAt: 2, sessionsSince: 3, operatorSince: 4, disabledAt: 5 }
    assert.deepEqual(sessionFacts({ totpEnabledAt: null }, set), {
      ...{ email: 'ada@example.com', isEmailConfirmed: true, hasTotp: false, hasPassedTotp: false },
      ...{ isOperator: true, isDisabled: true, sessionsSince: 3 },
    })
  })
})

describe('second factor after a password reset by email', () => {
  const enabled = { enabledAt: 5 }
  it('stays if the address was confirmed', () => {
    assert.deepEqual(unprovenFactor({ emailConfirmedAt: 2, totp: enabled }), { change: {}, isRemoved: false })
    assert.deepEqual(unprovenFactor({ emailConfirmedAt: 2, totp: null }), { change: {}, isRemoved: false })
  })

  it('is removed if the address was never confirmed', () => {
    const change = { totp: null }
    assert.deepEqual(unprovenFactor({ emailConfirmedAt: null, totp: enabled }), { change, isRemoved: true })
    // One that was not enabled is removed too, without notice.
    assert.deepEqual(unprovenFactor({ emailConfirmedAt: null, totp: { enabledAt: null } }), {
      change,
      isRemoved: false,
    })
    assert.deepEqual(unprovenFactor({ emailConfirmedAt: null, totp: null }), { change, isRemoved: false })
  })
})
