import assert from 'node:assert/strict'
import { getHeapSpaceStatistics } from 'node:v8'
import { decodedOf } from '@postrider/contracts/http/decodedText.ts'
import { finish } from '@postrider/mail/steps.ts'
import { assertStepsBelow } from '../../../test/support/cost.ts'
import { fingerprints, fingerprintsSteps } from '../sending/idempotency.ts'
import { parseInSteps, parseJson, surrogateSteps } from './parseJson.ts'

const names: ReadonlySet<string> = new Set(['to', 'html', 'attachments', 'filename', 'content'])
const base64 = Buffer.alloc(150_000, 'any bytes').toString('base64')

/** Returns a value with the texts that were decoded. */
const withTexts = (value: unknown): unknown => {
  const decoded = decodedOf(value)
  if (decoded !== null) {
    assert.deepEqual(decoded.bytes, Buffer.from(String(decoded.text), 'base64'))
    return String(decoded.text)
  }
  if (Array.isArray(value)) return value.map(withTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withTexts(item)]))
}

const countOf = (value: unknown): number => {
  if (decodedOf(value) !== null) return 1
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, item) => sum + countOf(item), 0)
}

const outcome = (read: () => unknown): unknown => {
  try {
    return read()
  } catch (thrown) {
    return String(thrown)
  }
}

const attached = (...files: unknown[]): string => JSON.stringify({ to: ['é'], attachments: files })
const file = (content: string) => ({ filename: 'a', content })

const bodies: [name: string, body: string, decoded: number][] = [
  ['of an attachment', attached(file(base64)), 1],
  ['of several attachments', attached(file(base64), file('QQ=='), { content: base64, filename: 'b' }), 2],
  ['among white space', `{ "attachments" : [ { "content" : "${base64}" } ] } `, 1],
  ['after another long text', JSON.stringify({ html: 'é '.repeat(100_000), attachments: [file(base64)] }), 1],
  ['under a name with an escape', `{"attachments":[{"c\\u006fntent":"${base64}"}]}`, 1],
  ['in another field', JSON.stringify({ html: base64 }), 0],
  ['that is the body', JSON.stringify(base64), 0],
  ['in a list', JSON.stringify({ attachments: [base64] }), 0],
  ['deeper in an attachment', attached({ content: { content: base64 } }, { content: [base64] }), 0],
  ['of an object', JSON.stringify({ attachments: { content: base64 } }), 0],
  ['in a list of lists', JSON.stringify([[{ attachments: [{ content: base64 }] }]]), 0],
  ['of an attachment and of another field', JSON.stringify({ attachments: [file(base64)], html: base64 }), 0],
  ['with escapes', attached(file(base64)).replaceAll('Y', '\\u0059'), 0],
  ['after an escaped quote', attached(file(`"${base64}`)), 0],
  ['before an escaped quote', attached(file(`${base64}"`)), 0],
  ['that is not base64', attached(file(`${base64}=`)), 0],
  ['that is a name', `{"attachments":[{"${base64}":"content"}]}`, 0],
]

const refused: [name: string, body: string][] = [
  ['outside of quotes', `{"attachments":[{"content":"a"${base64}"b"}]}`],
  ['after a content', `{"attachments":[{"content":"${base64}"${base64}"}]}`],
  ['in place of a comma', `{"attachments":[{"filename":"a""${base64}":"b"}]}`],
  ['without a closing quote', `{"attachments":[{"content":"${base64}`],
  ['under a name that is given twice', `{"attachments":[{"content":"a","content":"${base64}"}]}`],
  ['before a fault', `${attached(file(base64))}}`],
]

describe('long content', () => {
  for (const [name, body, decoded] of bodies) {
    it(`${decoded > 0 ? 'is decoded' : 'remains a text'}: one ${name}`, () => {
      const read = finish(parseInSteps(Buffer.from(body), names))
      assert.equal(countOf(read), decoded)
      assert.deepEqual(withTexts(read), parseJson(Buffer.from(body)))
      assert.deepEqual(finish(fingerprintsSteps(read)), fingerprints(JSON.parse(body)))
      assert.deepEqual(finish(surrogateSteps(read)), [])
    })
  }

  for (const [name, body] of refused) {
    it(`is refused as in a short body: one ${name}`, () => {
      const bytes = Buffer.from(body)
      const read = outcome(() => finish(parseInSteps(bytes, names)))
      assert.equal(
        read,
        outcome(() => parseJson(bytes)),
      )
      assert.match(String(read), /^Fault/)
    })
  }

  it('is a text for requests without attachments', () => {
    const body = attached(file(base64))
    assert.deepEqual(finish(parseInSteps(Buffer.from(body), new Set(['to']))), JSON.parse(body))
  })

  // Regression: strings of megabytes delayed the requests of other workspaces by tens of milliseconds.
  it('is read without long strings, in short steps', async () => {
    const bytes = Buffer.from(attached(file(Buffer.alloc(7 * 2 ** 20, 7).toString('base64'))))
    const longStrings = (): number =>
      getHeapSpaceStatistics().find(({ space_name: name }) => name === 'large_object_space')?.space_used_size ?? 0
    const before = longStrings()
    const steps = parseInSteps(bytes, names)
    let count = 0
    let step = steps.next()
    for (; !step.done; step = steps.next()) count += 1
    assert.ok(count > 40, `${count} pauses`)
    assert.ok(longStrings() - before < 2 ** 20, `${longStrings() - before} bytes of long strings`)
    assert.equal(countOf(step.value), 1)
    await assertStepsBelow(10, () => parseInSteps(bytes, names))
  })
})
