import assert from 'node:assert/strict'
import { operatorProblem } from './operatorRules.ts'
import { newUser, type User } from './users.ts'

const totp = { sealed: '', enabledAt: 5, lastStep: 0, recovery: [] }
const user = (over: Partial<User> = {}): User => ({
  ...newUser({ id: 'usr_1', email: 'jane@example.com', passwordHash: '', createdAt: 1 }),
  emailConfirmedAt: 2,
  totp,
  ...over,
})

describe('operators', () => {
  const cases: [name: string, user: User, since: number | null, code: string | undefined][] = [
    ['may be users with a confirmed address and a second factor', user(), null, undefined],
    ['have a confirmed address', user({ emailConfirmedAt: null }), null, 'unconfirmed_address'],
    ['have a second factor', user({ totp: null }), null, 'totp_required'],
    ['have a second factor that is enabled', user({ totp: { ...totp, enabledAt: null } }), null, 'totp_required'],
    ['stay operators without a second factor', user({ totp: null }), 3, undefined],
    ['are not marked again without a confirmed address', user({ emailConfirmedAt: null }), 3, 'unconfirmed_address'],
  ]
  for (const [name, one, since, expected] of cases)
    it(name, () => assert.equal(operatorProblem(one, since)?.code, expected))
})
