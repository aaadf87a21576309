import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { Fault } from '@postrider/kit/fault.ts'
import { finish } from '@postrider/mail/steps.ts'
import { canonicalJson, fingerprint, fingerprints, fingerprintsSteps } from '../sending/idempotency.ts'
import { loneSurrogates, parseInSteps, parseJson, surrogateSteps } from './parseJson.ts'

const codeOf = (body: string | Buffer): string => {
  try {
    parseJson(Buffer.from(body))
    return 'accepted'
  } catch (thrown) {
    assert.ok(thrown instanceof Fault, String(thrown))
    assert.equal(thrown.code, 'malformed_request')
    return thrown.problems[0]?.code ?? ''
  }
}

const rows: [name: string, body: string | Buffer, code: string][] = [
  ['an object', '{"a":[1,{"b":"c\\"}"}],"d":null}', 'accepted'],
  ['an empty body', '', 'empty_body'],
  ['a byte order mark', Buffer.from('\ufeff{}'), 'byte_order_mark'],
  ['UTF-16', Buffer.from('{}', 'utf16le'), 'invalid_json'],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'invalid_utf8'],
  ['a duplicate key', '{"to":"a","to":"b"}', 'duplicate_key'],
  ['a duplicate key, far apart', '{"to":{"x":[1,{"to":2}]},"from":1 , "to" : "b"}', 'duplicate_key'],
  ['a duplicate key, one of them escaped', '{"to":1,"t\\u006f":2}', 'duplicate_key'],
  ['a duplicate key with an escaped quote', '{"a\\"":1,"a\\"":2}', 'duplicate_key'],
  ['the same key in two objects', '[{"a":1},{"a":1}]', 'accepted'],
  ['a key that is also a value', '{"a":"b","b":"a"}', 'accepted'],
  ['__proto__', '{"template_vars":{"__proto__":{"admin":1}}}', 'reserved_key'],
  ['constructor', '{"constructor":{"prototype":1}}', 'reserved_key'],
  ['prototype, escaped', '{"\\u0070rototype":1}', 'reserved_key'],
  ['a reserved name as a value', '{"a":"__proto__"}', 'accepted'],
  ['32 levels', `${'['.repeat(32)}${']'.repeat(32)}`, 'accepted'],
  ['33 levels', `${'['.repeat(33)}${']'.repeat(33)}`, 'too_deep'],
  ['200,000 levels', '['.repeat(200_000), 'too_deep'],
  ['brackets in a string', `{"a":"${'['.repeat(100)}"}`, 'accepted'],
  ['a lone surrogate, which JSON allows', '{"a":["\\ud800"]}', 'accepted'],
  ['a pair of surrogates', '{"a":"\\ud83d\\ude00"}', 'accepted'],
  ['NaN', '{"a":NaN}', 'invalid_json'],
  ['a string without an end', '{"a":"b', 'invalid_json'],
  ['a string that ends in a backslash', '{"a":"b\\', 'invalid_json'],
  ['an invalid escape in a key', '{"\\x":1}', 'invalid_json'],
  ['two values', '{} {}', 'invalid_json'],
  ['200,001 values', `[${'0,'.repeat(200_000)}0]`, 'too_many_values'],
  ['closing brackets alone', ']]]}}}', 'invalid_json'],
]

describe('parseJson', () => {
  for (const [name, body, code] of rows) it(`reads ${name}: ${code}`, () => assert.equal(codeOf(body), code))

  it('returns what JSON.parse returns', () => {
    const value = { to: ['a@example.com'], html: '<p class="x">\\ "\n\u2028😀</p>', n: -1.5e3, o: { a: [[], {}] } }
    assert.deepEqual(parseJson(Buffer.from(JSON.stringify(value))), value)
  })
})

describe('loneSurrogates', () => {
  it('returns the path of every lone surrogate', () => {
    const body = parseJson(Buffer.from('{"a":[{"b":"\\ud800"}],"c":{"\\udc00":1},"d":"\\ud83d\\ude00"}'))
    assert.deepEqual(
      loneSurrogates(body).map(({ path }) => path),
      ['a[0].b', 'c'],
    )
  })
})

describe('surrogateSteps', () => {
  it('returns the path of every lone surrogate, in the order of the body', () => {
    const half = '\ud800'
    const body = { a: [{ b: half, c: [[], half, {}] }, half], d: { [half]: half, e: half }, f: [[{}], [half]], g: 'h' }
    assert.deepEqual(
      finish(surrogateSteps(body)).map(({ path }) => path),
      ['a[0].b', 'a[0].c[1]', 'a[1]', 'd', 'd.e', 'f[1][0]'],
    )
    assert.deepEqual(
      finish(surrogateSteps([[half]])).map(({ path }) => path),
      ['[0][0]'],
    )
    assert.deepEqual(
      finish(surrogateSteps(half)).map(({ path }) => path),
      [''],
    )
  })

  it('ends at the maximum number of problems that a response names', () => {
    assert.equal(finish(surrogateSteps(Array(1_000).fill(['\udc00']))).length, 100)
  })

  it('pauses after a number of values, however they are nested', () => {
    const pausesIn = (body: unknown): number => {
      let count = 0
      for (const steps = surrogateSteps(body); !steps.next().done; ) count++
      return count
    }
    // Regression: each of 40,000 empty arrays had a generator and a path, and a pause.
    const [flat, nested] = [pausesIn(Array(40_000).fill('a')), pausesIn(Array(40_000).fill([]))]
    assert.ok(flat >= 40 && nested >= 40 && nested <= 2 * flat + 2, `${flat} and ${nested} pauses`)
  })
})

describe('long body', () => {
  it('is read the same whether it is ASCII or not', () => {
    for (const length of [70_000, 300_000, 1_200_000]) {
      for (const last of ['z', 'é', '\u007f', '\u0080']) {
        const body = { html: `${'<p>"x"</p>\n'.repeat(length / 12)}${last}` }
        assert.deepEqual(finish(parseInSteps(Buffer.from(JSON.stringify(body)), new Set(['html']))), body)
      }
    }
  })

  for (const character of ['é', '€', '😀']) {
    it(`is decoded whole with ${character} at every position around the end of a part`, () => {
      for (let shift = 0; shift < 5; shift++) {
        const text = `${'x'.repeat(262_144 - 3 - shift)}${character.repeat(4)}${'y'.repeat(1_100_000)}`
        assert.equal(parseJson(Buffer.from(JSON.stringify(text))), text)
      }
    })
  }

  for (const [name, bytes] of [
    ['a continuation byte', [0x80]],
    ['eight continuation bytes', Array<number>(8).fill(0x80)],
    ['the first byte of a character alone', [0xf0]],
  ] as const) {
    it(`is refused with ${name} at every position around the end of a part`, () => {
      for (let shift = 0; shift < 5; shift++) {
        const start = Buffer.from(`"${'x'.repeat(262_144 - 3 - shift)}`)
        assert.equal(codeOf(Buffer.concat([start, Buffer.from(bytes), Buffer.from('yyyyyyyyyy"')])), 'invalid_utf8')
      }
    })
  }
})

describe('fingerprint', () => {
  it('is equal for any order of members and any white space', () => {
    const one = parseJson(Buffer.from('{"a":1,"b":{"c":[1,2],"d":null}}'))
    const other = parseJson(Buffer.from('{ "b": {"d":null, "c":[1, 2]}, "a": 1.0 }'))
    assert.deepEqual(fingerprint(one), fingerprint(other))
    assert.equal(canonicalJson(other), '{"a":1,"b":{"c":[1,2],"d":null}}')
  })

  it('differs for another order of an array', () => {
    assert.notDeepEqual(fingerprint([1, 2]), fingerprint([2, 1]))
  })

  const same: [name: string, one: object, other: object][] = [
    ['a field', { a: 1 }, { a: 1, cc: null }],
    [
      'a field of an attachment',
      { attachments: [{ filename: 'a' }] },
      { attachments: [{ filename: 'a', content_id: null }] },
    ],
    ['every field', {}, { a: null, b: null }],
  ]
  for (const [name, one, other] of same) {
    it(`is equal whether ${name} is null or absent`, () => assert.deepEqual(fingerprint(one), fingerprint(other)))
  }

  it('differs for null in the values of a template, where an absent value is refused', () => {
    assert.notDeepEqual(fingerprint({ template_vars: { a: null } }), fingerprint({ template_vars: {} }))
    assert.notDeepEqual(
      fingerprint({ template_vars: { a: [{ b: null }] } }),
      fingerprint({ template_vars: { a: [{}] } }),
    )
  })

  // A repeated request that release 0.1 had accepted was refused as a different request.
  it('is accompanied by that of release 0.1 if members are null', () => {
    const former = hash('sha256', '{"attachments":[{"a":1,"b":null}],"cc":null}', 'buffer')
    const body = { cc: null, attachments: [{ b: null, a: 1 }] }
    assert.deepEqual(fingerprints(body), {
      fingerprint: fingerprint({ attachments: [{ a: 1 }] }),
      formerFingerprint: former,
    })
    for (const same of [{ to: ['a'] }, { template_vars: { a: null } }])
      assert.deepEqual(fingerprints(same), { fingerprint: fingerprint(same) })
  })

  it('is the same if a long body is read in steps', () => {
    for (const text of ['a', 'é', '😀', '"', '\n']) {
      for (const shift of ['', 'x']) {
        const body = {
          text: shift + text.repeat(70_000),
          to: ['b', 'a'],
          cc: null,
          template_vars: { b: null, a: [1, {}] },
        }
        assert.deepEqual(finish(fingerprintsSteps(body)), fingerprints(body))
      }
    }
  })
})
