import assert from 'node:assert/strict'
import { knownLanguage, repairLanguage } from './language.ts'

describe('language of the browser', () => {
  for (const [tag, known] of [
    ['en-GB', 'en-GB'],
    ['de', 'de'],
    ['en-US@posix', 'en-US'],
    ['de_DE.UTF-8', 'de-DE'],
    ['C', 'en'],
    ['', 'en'],
    [undefined, 'en'],
  ] as const)
    it(`is ${known} for ${tag}`, () => {
      assert.equal(knownLanguage(tag), known)
      new Intl.NumberFormat(knownLanguage(tag))
    })

  it('is replaced only where Intl refuses it', () => {
    const navigatorOf = (language: string) => Object.create({ language }) as Navigator
    const [refused, accepted] = [navigatorOf('en-US@posix'), navigatorOf('fr-CH')]
    for (const one of [refused, accepted]) repairLanguage(one)
    assert.deepEqual([refused.language, accepted.language], ['en-US', 'fr-CH'])
    assert.deepEqual(Object.keys(accepted), [])
  })
})
