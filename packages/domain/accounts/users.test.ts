import assert from 'node:assert/strict'
import { isValidSession } from './users.ts'

describe('validity of a session', () => {
  const limits = { sessionAgeMs: 100, sessionIdleMs: 10 }
  const cases: [createdAt: number, seenAt: number, sessionsSince: number, expected: boolean][] = [
    [901, 991, 0, true],
    [900, 991, 0, false],
    [901, 990, 0, false],
    [950, 995, 950, true],
    [950, 995, 951, false],
  ]
  for (const [createdAt, seenAt, sessionsSince, expected] of cases)
    it(`one of ${createdAt}, used at ${seenAt}, is ${expected ? '' : 'not '}valid at 1000 if sessions count since ${sessionsSince}`, () => {
      assert.equal(isValidSession({ createdAt, seenAt }, { sessionsSince }, 1_000, limits), expected)
    })
})
