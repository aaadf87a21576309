import assert from 'node:assert/strict'
import { isCommonPassword } from './commonPasswords.ts'

describe('common passwords', () => {
  for (const password of [
    'password',
    '12345678',
    'qwertyuiop',
    'Password1',
    'ILOVEYOU',
    'letmein1',
    'ｐａｓｓｗｏｒｄ',
    '11111111',
  ])
    it(`include ${password}`, () => assert.equal(isCommonPassword(password), true))

  for (const password of [
    'correct horse battery staple',
    'correct horse battery',
    'tr0ub4dor&3x',
    'grüner Tee am Morgen',
    'x7#kQ2!vLp',
    '',
  ])
    it(`do not include "${password}"`, () => assert.equal(isCommonPassword(password), false))
})
