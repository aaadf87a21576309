import assert from 'node:assert/strict'
import { Fault } from '@postrider/kit/fault.ts'
import { finish } from '@postrider/mail/steps.ts'
import { firstBadByte, linePositionOf } from './linePosition.ts'
import { parseInSteps, parseJson } from './parseJson.ts'

const noNames: ReadonlySet<string> = new Set()

const refusalOf = (read: () => unknown): string => {
  try {
    return `accepted: ${JSON.stringify(read())}`
  } catch (thrown) {
    assert.ok(thrown instanceof Fault, String(thrown))
    assert.equal(thrown.problems[0]?.message, thrown.message)
    return thrown.message
  }
}

const rows: [name: string, body: string | Buffer, message: RegExp][] = [
  ['a comma before “}”', '{\n  "to": ["a@b.example"],\n}', /JSON at line 3, column 1: remove the comma before “}”\.$/],
  ['a comma before “]”', '{"to":["a", ]}', /JSON at line 1, column 13: remove the comma before “]”\.$/],
  ['“]” without an array', ']', /JSON at line 1, column 1: expected a value\.$/],
  ['single quotes', "{'to': 1}", /line 1, column 2: use straight double quotes/],
  ['a string in single quotes', '{"to": \'a\'}', /line 1, column 8: use straight double quotes/],
  ['typographic quotes', '{"a":“x”}', /line 1, column 6: use straight double quotes/],
  ['a name without quotes', '{to: 1}', /line 1, column 2: write the name in double quotes\.$/],
  ['a text without quotes', '{"to":hello}', /line 1, column 7: write text in double quotes;/],
  ['None of Python', '{"cc": None}', /line 1, column 8: write null instead of None\.$/],
  ['True of Python', '{"cc": True}', /line 1, column 8: write true instead of True\.$/],
  ['undefined of JavaScript', '{"cc": undefined}', /line 1, column 8: write null instead of undefined\.$/],
  ['a number that begins with 0', '{"a": 01}', /line 1, column 7: this is not a number of JSON/],
  ['a line break in a string', '{"a":"x\ny"}', /line 1, column 8: .*control character; write \\n\.$/],
  ['a tab in a string', '{"a":"x\ty"}', /line 1, column 8: .*control character; write \\t\.$/],
  ['a tab in a name', '{"\t":1}', /line 1, column 3: .*control character; write \\t\.$/],
  ['an unknown escape', '{"a":"ab\\x"}', /line 1, column 9: there is no such escape;/],
  ['a cut escape', '{"a":"\\u12"}', /line 1, column 7: there is no such escape;/],
  ['a missing colon', '{"a" 1}', /line 1, column 6: expected “:” after the name\.$/],
  ['a missing comma', '{"a":1\n "b":2}', /line 2, column 2: expected “,” before this quote\.$/],
  ['a quote in a string', '{"a":"<b c="d">"}', /line 1, column 13: .*a quote inside a string is written \\"\.$/],
  ['a body that ends too early', '{"a":1', /line 1, column 7: expected “,” or .*, but the body ends here\.$/],
  ['a string without an end', '{"a":"b', /line 1, column 6: the string that begins here has no closing quote\.$/],
  ['a comment', '// mail\n{}', /line 1, column 1: JSON has no comments\.$/],
  ['a comment inside', '{\n  /* mail */ "a": 1}', /line 2, column 3: JSON has no comments\.$/],
  ['form data', 'to=a@b.example&subject=x', /line 1, column 1: this is form data; send a JSON object\.$/],
  ['XML', '<mail/>', /line 1, column 1: this is XML or HTML; send a JSON object\.$/],
  ['two values', '{}\n{}', /line 2, column 1: expected nothing after the end of the JSON\.$/],
  ['only white space', ' \n ', /line 2, column 2: expected a value, but the body ends here\.$/],
  ['a no-break space', '{"a":\u00a01}', /line 1, column 6: there is an invisible character; delete it\.$/],
  [
    'a name twice',
    '{"a":1,\r\n"a":2}',
    /^The name "a" occurs twice in one object at line 2, column 1: send it once\.$/,
  ],
  ['a reserved name', '{\r"__proto__":1}', /^The name __proto__ is reserved at line 2, column 1: use another name\.$/],
  ['33 levels', '['.repeat(33), /^The JSON is nested more than 32 levels deep at line 1, column 33\.$/],
  ['columns after emoji', '{"😀😀": x}', /line 1, column 8: /],
  [
    'bytes that are not UTF-8',
    Buffer.concat([Buffer.from('{\n"é\ufffd'), Buffer.from([0xe9]), Buffer.from('"}')]),
    /^The body is not valid UTF-8 at line 2, column 4: encode the whole body as UTF-8\.$/,
  ],
]

describe('position of a fault in a body', () => {
  for (const [name, body, message] of rows) {
    it(`is given for ${name}, in one piece and in steps`, () => {
      const bytes = Buffer.from(body)
      assert.match(
        refusalOf(() => parseJson(bytes)),
        message,
      )
      assert.match(
        refusalOf(() => finish(parseInSteps(bytes, noNames))),
        message,
      )
    })

    it(`is given for ${name} after 200,000 characters`, () => {
      const before = 'é😀\n'.repeat(50_000)
      const bytes = Buffer.concat([Buffer.from(before.replaceAll(/[é😀]/gu, ' ')), Buffer.from(body)])
      const shifted = new RegExp(
        message.source
          .replace(/line (\d+)/, (_, line) => `line ${Number(line) + 50_000}`)
          // Form data, XML and white space are recognized at the beginning of a body.
          .replace(/: this is .*/, ': '),
      )
      assert.match(
        refusalOf(() => finish(parseInSteps(bytes, noNames))),
        shifted,
      )
    })
  }

  it('does not repeat the text', () => {
    for (const secret of [
      '{"key": pr_live_secret}',
      'key=pr_live_secret',
      '{pr_live_secret: 1}',
      "{'pr_live_secret'",
    ]) {
      assert.doesNotMatch(
        refusalOf(() => parseJson(Buffer.from(secret))),
        /secret/,
      )
    }
  })
})

describe('firstBadByte', () => {
  const wrong: [name: string, bytes: number[]][] = [
    ['a byte that never occurs', [0xff]],
    ['a continuation byte alone', [0x80]],
    ['a character that is cut', [0xe2, 0x82]],
    ['an overlong form', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['many continuation bytes', Array(70_000).fill(0x80)],
  ]
  for (const [name, bytes] of wrong) {
    it(`finds ${name} wherever it is`, () => {
      for (const before of [
        '',
        'é',
        '\ufffd',
        '😀'.repeat(16_384),
        `${'x'.repeat(65_535)}`,
        `x${'😀'.repeat(40_000)}`,
      ]) {
        const start = Buffer.from(before)
        assert.equal(finish(firstBadByte(Buffer.concat([start, Buffer.from(bytes), Buffer.from('"')]))), start.length)
      }
    })
  }
})

describe('linePositionOf', () => {
  it('counts lines of every kind, and characters', () => {
    assert.equal(finish(linePositionOf('a\r\nb\rc\n\n😀d', 10)), 'line 5, column 2')
    assert.equal(finish(linePositionOf('', 0)), 'line 1, column 1')
  })

  it('pauses in a long text', () => {
    let pauses = 0
    for (const steps = linePositionOf('x'.repeat(1_000_000), 1_000_000); !steps.next().done; ) pauses += 1
    assert.ok(pauses >= 10, String(pauses))
  })
})
