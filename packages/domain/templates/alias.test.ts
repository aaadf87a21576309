import assert from 'node:assert/strict'
import { isAlias } from './alias.ts'

describe('alias of a template', () => {
  for (const text of ['a', 'welcome', 'Welcome-2', 'order.paid_v2', 'TPL_1', 'tpl', 'a'.repeat(100)])
    it(`may be ${text.slice(0, 20)}`, () => assert.equal(isAlias(text), true))

  for (const text of ['', '1a', '-a', 'a b', 'a/b', 'é', 'a\n', 'tpl_', 'tpl_welcome', 'a'.repeat(101), '__proto__'])
    it(`may not be ${JSON.stringify(text.slice(0, 20))}`, () => assert.equal(isAlias(text), false))
})
