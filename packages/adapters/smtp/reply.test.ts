import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type ReceivedReply, replyReader, replyText, smtpReply, smtpStep } from './reply.ts'

const read = (chunks: readonly Buffer[]): { replies: ReceivedReply[]; fault: string | null; unfinished: boolean } => {
  const replies: ReceivedReply[] = []
  const reader = replyReader((reply) => replies.push(reply))
  const fault = chunks.map((chunk) => reader.feed(chunk, 0)).find((one) => one !== null) ?? null
  return { replies, fault, unfinished: reader.isUnfinished() }
}

const one = (text: string): ReceivedReply => {
  const { replies } = read([Buffer.from(text, 'latin1')])
  assert.equal(replies.length, 1)
  return replies[0] as ReceivedReply
}

describe('SMTP reply reader', () => {
  it('returns the same replies however the bytes are divided into packets', () => {
    const text = '220 hello\r\n250-first\r\n250-\r\n250 last\r\n354\r\n421 4.3.2 \xc3\xa4 bye\r\n'
    const whole = read([Buffer.from(text, 'latin1')])
    assert.deepEqual(
      whole.replies.map(({ code }) => code),
      [220, 250, 354, 421],
    )
    assert.deepEqual(whole.replies[1]?.lines, ['first', '', 'last'])
    assert.equal(whole.unfinished, false)
    const property = fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), text.length]
      const chunks = at.slice(1).map((end, n) => Buffer.from(text.slice(at[n], end), 'latin1'))
      assert.deepEqual(read(chunks), whole)
    })
    fc.assert(property, { seed: 5321 })
  })

  for (const [name, text, enhanced, rest] of [
    ['a separated enhanced code', '550 5.1.1 No such user\r\n', '5.1.1', 'No such user'],
    ['no enhanced code', '550 No such user\r\n', null, 'No such user'],
    ['an enhanced code of another class', '550 2.1.1 No such user\r\n', null, '2.1.1 No such user'],
    ['an enhanced code alone', '250 2.0.0\r\n', '2.0.0', ''],
    ['several lines joined', '550-5.7.1 Go\r\n550-5.7.1 away,\r\n550 5.7.1 please\r\n', '5.7.1', 'Go away, please'],
    ['text like a version', '250 2.0.0.1 ready\r\n', null, '2.0.0.1 ready'],
    ['a bare LF', '250 ok\n', null, 'ok'],
  ] as const)
    it(`reads a reply with ${name}`, () => {
      const { enhanced: code, text: shown } = smtpReply(one(text))
      assert.deepEqual([code, shown], [enhanced, rest])
    })

  for (const text of ['hello\r\n', '25 x\r\n', '199 x\r\n', '650 x\r\n', '250x\r\n', '\r\n', '2501 x\r\n'])
    it(`rejects ${JSON.stringify(text)}`, () => {
      assert.match(read([Buffer.from(text)]).fault ?? '', /no SMTP reply/)
    })

  it('rejects a line, a reply and an unfinished line that are too long', () => {
    assert.match(read([Buffer.from(`250 ${'x'.repeat(5_000)}\r\n`)]).fault ?? '', /too long/)
    assert.match(read([Buffer.from('250-more\r\n'.repeat(10_000))]).fault ?? '', /too long/)
    assert.match(read([Buffer.from('2'), Buffer.from('x'.repeat(5_000))]).fault ?? '', /too long/)
  })

  it('shows a reply unchanged', () => {
    assert.equal(replyText(one('250-one\r\n250 two\r\n')), '250-one\n250 two')
  })

  it('replaces control characters, bidirectional characters and invalid UTF-8', () => {
    assert.equal(one('550 a\x07\x1bb \xe2\x80\xae \xff\r\n').lines[0], 'a??b ? \ufffd')
  })

  // The cut left half of an emoji, which no JSON and no log may have.
  it('is cut between whole characters', () => {
    const emoji = Buffer.from('😀'.repeat(600)).toString('latin1')
    for (const before of ['', 'x', 'xx', 'xxx']) {
      const reply = one(`550 ${before}${emoji}\r\n`)
      assert.ok(smtpReply(reply).text.isWellFormed())
      assert.ok(smtpStep('mail', 'MAIL', reply, 0).reply.isWellFormed())
    }
  })
})
