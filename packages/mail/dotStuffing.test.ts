import assert from 'node:assert/strict'
import fc from 'fast-check'
import { assertStepsBelow } from '../../test/support/cost.ts'
import { dotStuffSteps, finalDot } from './dotStuffing.ts'
import { finish, type Steps } from './steps.ts'

function* wholeSteps(raw: Uint8Array): Steps<Buffer[]> {
  const { count, steps } = yield* dotStuffSteps(raw)
  const blocks: Buffer[] = []
  for (let block = 0; block < count; block++) blocks.push(yield* steps(block))
  return blocks
}

const dotStuff = (raw: Uint8Array): Buffer => Buffer.concat(finish(wholeSteps(raw)))
const stuffed = (text: string): string => dotStuff(Buffer.from(text, 'latin1')).toString('latin1')

describe('dot-stuffing', () => {
  for (const [raw, expected] of [
    ['', ''],
    ['a.b\r\n', 'a.b\r\n'],
    ['.', '..'],
    ['.a\r\n', '..a\r\n'],
    ['a\r\n.\r\n.\r\nb', 'a\r\n..\r\n..\r\nb'],
    ['a\r\n..b\r\n', 'a\r\n...b\r\n'],
    ['a\nb\r\n', 'a\nb\r\n'],
  ] as const)
    it(`turns ${JSON.stringify(raw)} into ${JSON.stringify(expected)}`, () => {
      assert.equal(stuffed(raw), expected)
    })

  it('copies no byte when no line begins with a dot', () => {
    const raw = Buffer.from('no dots\r\nat line starts.\r\n'.repeat(30_000))
    const blocks = finish(wholeSteps(raw))
    assert.ok(blocks.length > 1)
    assert.ok(blocks.every(({ buffer }) => buffer === raw.buffer))
  })

  // Regression: the copy of a long message was as long as the message, and the budget of the dispatcher did not count
  // it.
  it('copies no more than a block of a long message at a time', () => {
    const raw = Buffer.from('.\r\n'.repeat(1_000_000))
    for (const { buffer } of finish(wholeSteps(raw))) assert.ok(buffer.byteLength <= 131_072, `${buffer.byteLength}`)
  })

  it('treats a long message as a short one', () => {
    const long = '.a\r\nb.\r\n..\r\n'.repeat(30_000)
    assert.equal(stuffed(long), long.replaceAll(/^\./gm, '..'))
    for (const bare of ['\r', '\n']) assert.throws(() => stuffed(`${long}${bare}`), /bare CR or LF/)
  })

  it('treats lines at the ends of its steps as all others', () => {
    const step = 65_536
    for (const length of [step, 5 * step])
      for (const shift of [-3, -2, -1, 0, 1]) {
        const raw = `${'x'.repeat(length + shift)}\r\n.a\r\n${'y'.repeat(length)}\r\n`
        assert.ok(stuffed(raw) === raw.replace('.a', '..a'), `${length} and ${shift}`)
      }
  })

  // Regression: a message that a tenant of any plan can send was prepared in one step of 100 ms.
  for (const line of ['.\r\n', '=C3=A9\r\n.', '\r\n', 'x'])
    it(`takes short steps for 10 MiB of ${JSON.stringify(line)}`, async () => {
      const raw = Buffer.from(line.repeat((10 * 2 ** 20) / line.length))
      await assertStepsBelow(5, () => wholeSteps(raw))
    })

  it('accepts a Uint8Array that is a view', () => {
    const bytes = new Uint8Array(Buffer.from('xx.a\r\n')).subarray(2)
    assert.equal(dotStuff(bytes).toString(), '..a\r\n')
  })

  it('never returns bytes that end the message early, for any line end a server accepts', () => {
    const piece = fc.constantFrom('\r\n', '\r', '\n', '.', '..', 'a', '\r\n.\r\n', '\n.\n')
    let through = 0
    const property = fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const raw = Buffer.from(pieces.join(''))
      let body: string
      try {
        body = `\r\n${dotStuff(raw).toString()}`
      } catch {
        return
      }
      through++
      const sent = `${body}${finalDot(raw)}`
      const end = /(?:\r\n|\r|\n)\.(?:\r\n|\r|\n)/.exec(sent)
      assert.equal((end?.index ?? 0) + (end?.[0].length ?? 0), sent.length)
    })
    fc.assert(property, { seed: 51764, numRuns: 5_000 })
    assert.ok(through > 500)
  })
})
