import assert from 'node:assert/strict'
import { SearchUsers, SearchWorkspaces } from './operator.ts'

describe('SearchWorkspaces and SearchUsers', () => {
  // Regression: the length was compared in UTF-16 units; the OpenAPI document counts characters.
  for (const [name, q, isRight] of [
    ['is empty', '', false],
    ['has 254 characters', 'x'.repeat(254), true],
    ['has 255 characters', 'x'.repeat(255), false],
    ['has 254 characters in 508 UTF-16 units', '🧹'.repeat(254), true],
    ['has 255 characters in 510 UTF-16 units', '🧹'.repeat(255), false],
  ] as const)
    it(`${isRight ? 'accept' : 'refuse'} a text that ${name}`, () => {
      for (const schema of [SearchWorkspaces, SearchUsers]) assert.equal(schema.safeParse({ q }).success, isRight)
    })
})
