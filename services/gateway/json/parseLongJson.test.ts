import assert from 'node:assert/strict'
import { finish } from '@postrider/mail/steps.ts'
import fc from 'fast-check'
import { assertStepsBelow } from '../../../test/support/cost.ts'
import { parseInSteps, parseJson } from './parseJson.ts'
import { parseLongJson } from './parseLongJson.ts'

const none: ReadonlySet<string> = new Set()
const outcome = (read: () => unknown): unknown => {
  try {
    return read()
  } catch (thrown) {
    return (thrown as { problems?: { code: string }[] }).problems?.[0]?.code ?? String(thrown)
  }
}
const both = (text: string) => {
  const bytes = Buffer.from(text)
  return [outcome(() => finish(parseInSteps(bytes, none))), outcome(() => parseJson(bytes))] as const
}

const texts: [name: string, text: string][] = [
  ...['{}', '[]', ' [ ] ', 'null', 'true', '-0', '1.5e-3', '"a"', '{"a":[1,{"b":"c\\"}"}],"d":null}'].map(
    (text): [string, string] => [text, text],
  ),
  ...['', ' ', '{', '[', '[1', '[1,', '[1,]', '{"a"', '{"a":', '{"a":1,', '{"a":1,}', '{a:1}', '{"a" 1}', '1 2'].map(
    (text): [string, string] => [`not JSON: ${text}`, text],
  ),
  ...['[1}', '{"a":1]', '}', ']', ',', ':', '[,1]', '01', '1.', '.5', '+1', 'NaN', 'tru', 'truefalse', '1a', "'a'"].map(
    (text): [string, string] => [`not JSON: ${text}`, text],
  ),
  ...['"', '"\\', '"\\"', '"a\nb"', '"\\x"', '"\\u12"', '"\\u12g4"', '\ufeff{}', '{"a":1}}', '[1]]', '\u00a01'].map(
    (text): [string, string] => [`not JSON: ${JSON.stringify(text)}`, text],
  ),
  ['a name twice', '{"to":1,"t\\u006f":2}'],
  ['a reserved name', '{"a":{"\\u005f_proto__":1}}'],
  ['32 levels', `${'['.repeat(32)}${']'.repeat(32)}`],
  ['33 levels', `${'['.repeat(33)}${']'.repeat(33)}`],
  ['200,001 values', `[${'0,'.repeat(200_000)}0]`],
  ['200,001 arrays', `[${Array(200_000).fill('[]').join()}]`],
]

/** Escapes at every position around the end of a piece of 65,536 characters. */
const aroundTheCut = ['\\\\', '\\"', '\\u00e9', '\\ud83d\\ude00', 'é', '😀', '\\\\\\"', '\\n'].flatMap((written) =>
  Array.from({ length: 16 }, (_, shift): [string, string] => [
    `${written} at ${shift}`,
    `{"a":"${'x'.repeat(65_536 - shift)}${written.repeat(20)}"}`,
  ]),
)

describe('parser of long bodies', () => {
  for (const [name, text] of [...texts, ...aroundTheCut]) {
    it(`reads as the parser of short bodies: ${name}`, () => {
      const [long, short] = both(text)
      assert.deepEqual(long, short)
    })
  }

  it('reads any value, and any text with a changed character, as the parser of short bodies', () => {
    const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)
    const property = fc.property(
      fc.json({ maxDepth: 5 }),
      fc.nat(),
      fc.constantFrom(...'{}[],:"\\ 0e-.u\n'),
      (...given) => {
        const [json, number, character] = given
        const at = number % (json.length + 1)
        for (const text of [json, `${json.slice(0, at)}${character}${json.slice(at + 1)}`]) {
          const [long, short] = both(text)
          // A text that is not JSON may have another fault too. Each parser reports the one that it finds first.
          if (long !== 'invalid_json' && short !== 'invalid_json') assert.deepEqual(long, short)
          else assert.deepEqual([typeof long, typeof short], ['string', 'string'])
        }
      },
    )
    fc.assert(property, { seed, numRuns: 1_000 })
  })

  it('reads long strings of escapes', () => {
    for (const written of ['\\\\', '\\"', '\\u00e9', '\\ud83d\\ude00']) {
      const text = `{"a":"${written.repeat(50_000)}"}`
      assert.deepEqual(finish(parseLongJson(text, none)), { ok: true, value: JSON.parse(text) })
    }
  })

  it('returns the first entries of containers that are too long, and the members with names of fields', () => {
    const members = Array.from({ length: 30_000 }, (_, number) => `"name${number}":1`).join()
    const entries = Array(50_000).fill('1').join()
    const text = `{"cut":{${members},"filename":2},"list":[${entries}],${members},"to":3}`
    const parsed = finish(parseLongJson(text, new Set(['to', 'filename'])))
    assert.ok(parsed.ok)
    const { cut, list, to } = parsed.value as { cut: { filename?: number }; list: unknown[]; to?: number }
    assert.deepEqual([to, cut.filename], [3, 2])
    assert.ok(Object.keys(cut).length < 15_000 && list.length < 35_000)
  })

  it('finds a name that an object has twice, among as many members as an accepted request can have', () => {
    const membersOf = (count: number) => Array.from({ length: count }, (_, number) => `"name${number}":1`).join()
    for (const [twice, count] of [
      ['name0', 12_999],
      ['name12998', 12_999],
      ['na\\u006de500', 2_000],
    ] as const) {
      const parsed = finish(parseLongJson(`{"vars":{${membersOf(count)},"${twice}":2}}`, none))
      assert.equal(parsed.ok ? 'accepted' : parsed.fault.code, 'duplicate_key', twice)
    }
  })

  it('refuses a reserved name after more members than an object keeps', () => {
    const members = Array.from({ length: 20_000 }, (_, number) => `"name${number}":1`).join()
    const parsed = finish(parseLongJson(`{${members},"__proto__":2}`, none))
    assert.equal(parsed.ok ? 'accepted' : parsed.fault.code, 'reserved_key')
  })

  // Regression: a set of all names grew in steps of 5 ms and more.
  it('reads 90,000 members in short steps', async () => {
    const text = `{${Array.from({ length: 90_000 }, (_, number) => `"n${number}":"v"`).join()}}`
    await assertStepsBelow(5, () => parseLongJson(text, none))
  })
})
