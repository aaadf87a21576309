import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { assertIterationsBelow, assertStepsBelow } from '../../test/support/cost.ts'
import { bodyHash, canonicalField, fieldsIn } from './dkimCanonical.ts'
import { finish } from './steps.ts'

const sha256 = (text: string): string => createHash('sha256').update(text, 'latin1').digest('hex')
const hashOf = (body: string): string => finish(bodyHash(Buffer.from(body, 'latin1'))).toString('hex')

/** Returns a body in relaxed form, by a function that follows the words of RFC 6376 §3.4.4. */
const relaxedBody = (body: string): string => {
  const lines = body.split('\r\n').map((line) => line.replace(/[\t ]+/g, ' ').replace(/ $/, ''))
  while (lines.at(-1) === '') lines.pop()
  return lines.map((line) => `${line}\r\n`).join('')
}

const bodies: [name: string, body: string, canonical: string][] = [
  ['the example of RFC 6376 §3.4.5', ' C \r\nD \t E\r\n\r\n\r\n', ' C\r\nD E\r\n'],
  ['an empty body', '', ''],
  ['one empty line', '\r\n', ''],
  ['empty lines', '\r\n\r\n\r\n', ''],
  ['lines of white space', ' \r\n\t\r\n \t \r\n', ''],
  ['white space without a line end', ' \t', ''],
  ['a line without a line end', 'a', 'a\r\n'],
  ['a line', 'a\r\n', 'a\r\n'],
  ['empty lines after a line', 'a\r\n\r\n \r\n', 'a\r\n'],
  ['white space after the last line', 'a\r\n  ', 'a\r\n'],
  ['white space at the end without a line end', 'a \t', 'a\r\n'],
  ['white space before a line', '  a\r\n\tb\r\n', ' a\r\n b\r\n'],
  ['white space in a line', 'a  b\tc \t d', 'a b c d\r\n'],
  ['white space at line ends', 'a  \r\nb\t\r\nc', 'a\r\nb\r\nc\r\n'],
  ['empty lines between lines', 'a\r\n\r\n \r\nb\r\n', 'a\r\n\r\n\r\nb\r\n'],
  ['empty lines before lines', '\r\n\r\na\r\n', '\r\n\r\na\r\n'],
  ['lines that begin with a dot', '.\r\n..a\r\n', '.\r\n..a\r\n'],
  ['8-bit bytes', 'gr\xfc\xdfe \xa0\r\n', 'gr\xfc\xdfe \xa0\r\n'],
  ['a NUL and other control characters', 'a\0 \x0b\x0c\r\n', 'a\0 \x0b\x0c\r\n'],
  ['a bare CR and a bare LF', 'a \rb \nc\r\n', 'a \rb \nc\r\n'],
  ['a CR at the end', 'a\r', 'a\r\r\n'],
  ['a CR before a line end', 'a \r\r\n', 'a \r\r\n'],
]

describe('relaxed canonical body', () => {
  for (const [name, body, canonical] of bodies) {
    it(`is right for ${name}`, () => {
      assert.equal(relaxedBody(body), canonical)
      assert.equal(hashOf(body), sha256(canonical))
    })
  }

  it('equals that of the reference for every text of white space, letters and line ends', () => {
    const text = fc
      .array(fc.constantFrom(' ', '\t', '\r\n', '\r', '\n', 'a', '.', '\xff'))
      .map((parts) => parts.join(''))
    fc.assert(fc.property(text, (body) => hashOf(body) === sha256(relaxedBody(body))))
  })

  it('equals that of the reference if white space and line ends are at the end of a step', () => {
    const gaps = ['', ' ', '  ', ' \t ', '\r\n', ' \r\n', '\t\r\n ', '\r', ' \r']
    for (const gap of gaps) {
      for (let before = 16_379; before <= 16_385; before++) {
        for (const body of [`${'x'.repeat(before)}${gap}y`, `${'x '.repeat(before / 2)}${gap}y z${gap}`]) {
          assert.equal(hashOf(body), sha256(relaxedBody(body)), `${before} bytes and ${JSON.stringify(gap)}`)
        }
      }
    }
  })

  const long: [name: string, line: string][] = [
    ['base64', `${'QUJD'.repeat(19)}\r\n`],
    ['text', 'The quick brown fox  jumps over the lazy dog.\r\n'],
    ['white space', ' '.repeat(64)],
    ['empty lines', '\r\n'],
  ]
  for (const [name, line] of long) {
    it(`is computed in short steps for 10 MiB of ${name}`, async () => {
      const body = Buffer.alloc(10 * 2 ** 20, line, 'latin1')
      const steps = [...bodyHash(body)].length
      assert.ok(steps >= body.length / 16_384 - 1, `${steps} pauses`)
      await assertStepsBelow(20, () => bodyHash(body))
    })
  }
})

const fields: [name: string, field: string, canonical: string][] = [
  ['the first example of RFC 6376 §3.4.5', 'A: X', 'a:X'],
  ['the second example of RFC 6376 §3.4.5', 'B : Y\t\r\n\tZ  ', 'b:Y Z'],
  ['no white space', 'A:X', 'a:X'],
  ['upper case in the value', 'SUBJect:AbC', 'subject:AbC'],
  ['white space around the colon', 'A \t:\t X', 'a:X'],
  ['runs of white space', 'A: X \t Y', 'a:X Y'],
  ['white space at the end', 'A: X \t ', 'a:X'],
  ['folds', 'A: X\r\n Y\r\n\t Z', 'a:X Y Z'],
  ['a fold after the colon', 'A:\r\n X', 'a:X'],
  ['an empty value', 'A:', 'a:'],
  ['a value of white space', 'A: \t ', 'a:'],
  ['colons in the value', 'A: x:y', 'a:x:y'],
  ['8-bit bytes', 'To: gr\xc3\xbc <a@b>', 'to:gr\xc3\xbc <a@b>'],
]

describe('relaxed canonical field', () => {
  for (const [name, text, canonical] of fields) {
    it(`is right for ${name}`, () => {
      const [field] = fieldsIn(text)
      assert.ok(field)
      assert.equal(canonicalField(field), canonical)
    })
  }

  it('is computed in linear time for long runs of white space', async () => {
    const value = ` ${' '.repeat(500_000)}x${'\t'.repeat(500_000)}`
    await assertIterationsBelow(100, async () => canonicalField({ name: 'x', value }))
  })
})
