import assert from 'node:assert/strict'
import fc from 'fast-check'
import { containsText, foldCase, isSameText, plainRunOf } from './letterCase.ts'

/** Characters whose case has several forms, and some that have one. */
const characters = [...'aAbiIkKzZ1 "\\İıKſßΣσςéÉ👍中']
const text = fc.string({ unit: fc.constantFrom(...characters), maxLength: 12 })
/** Includes combining characters and the halves of a surrogate pair. */
const anyText = fc.string({
  unit: fc.constantFrom(...characters, '京', '\u0301', '\u0307', '\ud83d', '\udc4d', '\n'),
  maxLength: 12,
})

/** Returns a text in which only the case of ASCII is ignored, as stores do. */
const foldAscii = (value: string): string => value.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

describe('text without regard to letter case', () => {
  for (const [value, part] of [
    ['İstanbul Ltd', 'istanbul'],
    ['istanbul', 'İST'],
    ['300 \u212a', 'k'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδοσα', 'ΟΔΟΣ'],
    ['Ätna 100%', 'ätn'],
  ] as const)
    it(`${JSON.stringify(value)} contains ${JSON.stringify(part)}`, () => assert.ok(containsText(value, part)))

  it('is the same only if nothing else differs', () => {
    assert.ok(isSameText('ΟΔΟΣ', 'οδος'))
    assert.ok(!isSameText('Straße', 'STRASSE'))
    assert.ok(!isSameText('ada', 'adam'))
    assert.ok(!containsText('ada', 'adam'))
  })

  it('contains each of its parts, in upper and lower case', () => {
    fc.assert(
      fc.property(text, text, text, (before, part, after) => {
        const whole = `${before}${part}${after}`
        assert.ok(containsText(whole, foldCase(part)), JSON.stringify([whole, part]))
        assert.ok(containsText(whole.toLowerCase(), part), JSON.stringify([whole, part]))
      }),
    )
  })

  it('has the plain run of every part that it contains', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, fc.boolean(), (before, part, after, isUpper) => {
        const whole = `${before}${part}${after}`
        const wanted = isUpper ? part.toUpperCase() : foldCase(part)
        if (containsText(whole, wanted)) assert.ok(foldAscii(whole).includes(plainRunOf(wanted)))
        assert.ok(plainRunOf(wanted).isWellFormed())
      }),
    )
  })

  // Regression: the part of a text in Chinese was empty, so a store read everything.
  for (const [value, run] of [
    ['İstanbul Ltd', 'stanbul ltd'],
    ['北京', '北京'],
    ['Київ 北京 7', ' 北京 7'],
    ['👍\ud83d', '👍'],
    ['ΟΔΟΣ', ''],
    ['ki', ''],
  ] as const)
    it(`has the plain run ${JSON.stringify(run)} in ${JSON.stringify(value)}`, () =>
      assert.equal(plainRunOf(value), run))

  it('has no character in a plain run to which another one is folded', () => {
    const all = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code))
    const targets = new Set(all.flatMap((one) => [...foldCase(one)].filter((folded) => folded !== foldAscii(one))))
    assert.deepEqual(
      [...targets].filter((one) => plainRunOf(one) !== ''),
      [],
    )
    assert.ok(targets.has('k') && targets.size > 1_000)
  })
})
