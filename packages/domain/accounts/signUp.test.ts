import assert from 'node:assert/strict'
import { newUserRefusal, type SignUpPolicy, signUpRefusal } from './signUp.ts'

describe('sign-up policy', () => {
  const cases: [policy: SignUpPolicy, signUp: RegExp | null, newUser: RegExp | null][] = [
    ['open', null, null],
    ['invite', /invited people only/, null],
    ['off', /is closed/, /is closed/],
  ]
  for (const [policy, signUp, newUser] of cases)
    it(`${policy} decides about people without and with an invitation`, () => {
      for (const [refusal, expected] of [
        [signUpRefusal(policy), signUp],
        [newUserRefusal(policy), newUser],
      ] as const)
        if (expected === null) assert.equal(refusal, null)
        else assert.match(refusal ?? '', expected)
    })
})
