import assert from 'node:assert/strict'
import fc from 'fast-check'
import { messageSplitter } from './messageSplitter.ts'

/** Splits a body that arrives in parts of these sizes. */
const split = (body: Buffer, sizes: readonly number[]) => {
  const splitter = messageSplitter()
  const messages: { number: number; text: string }[] = []
  for (let [from, index] = [0, 0]; from < body.length; index += 1) {
    const to = from + (sizes[index % Math.max(sizes.length, 1)] ?? body.length)
    for (const { number, bytes } of splitter.push(body.subarray(from, to)))
      messages.push({ number, text: String(bytes) })
    from = to
  }
  return { messages, frame: String(splitter.frame()) }
}

const chars = ['"', '{', '}', '[', ']', ',', ':', 'é', '\n', 'a', '🙂'] as const
const text = fc.string({ unit: fc.constantFrom(...chars, '\\') })
/**
 * No backslash: after an object with the key of one backslash, `JSON.parse` of V8 13.6 reads a key such as `"\n"` at
 * the same position as a backslash too. The splitter treats keys and values alike.
 */
const key = fc.string({ unit: fc.constantFrom(...chars) })
const value = fc.oneof(
  text,
  fc.integer(),
  fc.constant(null),
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(key, text),
)
const entry = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(key, value) },
  { weight: 1, arbitrary: fc.oneof(text, fc.integer(), fc.array(text)) },
)

describe('splitter of batches', () => {
  it('returns each object of the list wherever the parts of the body end', () => {
    const seed = Number(process.env['POSTRIDER_SPLIT_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
    console.log(`      POSTRIDER_SPLIT_SEED=${seed}`)
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })
    const property = fc.property(
      fc.array(entry, { maxLength: 6 }),
      sizes,
      fc.boolean(),
      (messages, parts, isPretty) => {
        const body = JSON.stringify({ messages, other: { a: [{}], b: '[' } }, null, isPretty ? 2 : 0)
        const found = split(Buffer.from(body), parts)
        const isObject = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one)
        const wanted = messages.flatMap((one, number) => (isObject(one) ? [{ number, one: JSON.stringify(one) }] : []))
        assert.deepEqual(
          found.messages.map(({ number, text: json }) => ({ number, one: JSON.stringify(JSON.parse(json)) })),
          wanted,
        )
        const frame = JSON.parse(found.frame) as { messages: unknown[]; other: unknown }
        assert.deepEqual(
          frame,
          JSON.parse(
            JSON.stringify({
              messages: messages.map((one, at) => (isObject(one) ? { at } : one)),
              other: { a: [{}], b: '[' },
            }),
          ),
        )
      },
    )
    fc.assert(property, { seed, numRuns: 500 })
  })

  const broken = [
    '',
    '{',
    '{"messages":[{"a":1}',
    '{"messages":[{"a":"',
    '{"messages":[{"a":1}}]',
    ']]]]{{{',
    '[{"a":1}]',
    '"',
  ]
  for (const body of broken)
    it(`leaves a frame that is not a batch of ${body || 'nothing'}`, () => {
      const { frame } = split(Buffer.from(body), [3])
      let parsed: unknown = null
      try {
        parsed = JSON.parse(frame)
      } catch {
        return
      }
      assert.ok(typeof parsed !== 'object' || parsed === null || !('messages' in parsed))
    })
})
