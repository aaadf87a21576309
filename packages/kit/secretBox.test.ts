import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { Fault } from './fault.ts'
import { makeSecretBox, masterSecrets, type Opened, requireOpened, secretIdOf, unknownSecret } from './secretBox.ts'

const [old, fresh] = ['o'.repeat(32), 'f'.repeat(40)] as const
const context = ['dom_01', 'pr1']
const plain = Buffer.from('a private key')

const boxOf = (...secrets: [string, ...string[]]) => makeSecretBox({ secrets, purpose: 'dkim' })

const textOf = (opened: Opened): string => (opened.kind === 'opened' ? opened.plain.toString() : opened.kind)

describe('secret box', () => {
  it('opens what it sealed, also in another process', () => {
    for (const bytes of [plain, Buffer.alloc(0), Buffer.alloc(4_096, 0xff)]) {
      const opened = boxOf(old).open(boxOf(old).seal(bytes, context), context)
      assert.deepEqual(opened, { kind: 'opened', plain: bytes })
    }
  })

  it('never returns the same text twice', () => {
    const box = boxOf(old)
    assert.notEqual(box.seal(plain, context), box.seal(plain, context))
  })

  it('opens under any of the configured secrets and seals under the first', () => {
    const sealed = boxOf(old).seal(plain, context)
    const both = boxOf(fresh, old)
    assert.equal(textOf(both.open(sealed, context)), 'a private key')
    const again = both.seal(plain, context)
    assert.equal(textOf(boxOf(fresh).open(again, context)), 'a private key')
    assert.equal(boxOf(old).open(again, context).kind, 'unknown_secret')
    assert.equal(textOf(boxOf(old, fresh).open(again, context)), 'a private key')
  })

  it('returns the id of the secret that is not configured', () => {
    const sealed = boxOf(old).seal(plain, context)
    assert.deepEqual(boxOf(fresh).open(sealed, context), { kind: 'unknown_secret', secretId: boxOf(old).secretId })
    assert.equal(secretIdOf(sealed), boxOf(old).secretId)
    assert.ok(boxOf(fresh, old).knows(boxOf(old).secretId))
    assert.ok(!boxOf(fresh).knows(boxOf(old).secretId))
  })

  it('opens nothing for another owner or another purpose', () => {
    const box = boxOf(old)
    const sealed = box.seal(plain, ['ab', 'c'])
    for (const other of [['a', 'bc'], ['ab'], ['ab', 'c', ''], ['abc'], ['c', 'ab'], []]) {
      assert.equal(box.open(sealed, other).kind, 'damaged', JSON.stringify(other))
    }
    const totp = makeSecretBox({ secrets: [old], purpose: 'totp' })
    assert.equal(totp.open(sealed, ['ab', 'c']).kind, 'unknown_secret')
  })

  it('refuses a text of which any character was changed, added or removed', () => {
    const box = boxOf(old)
    const sealed = box.seal(plain, context)
    for (let at = 0; at < sealed.length; at++) {
      const [before, after] = [sealed.slice(0, at), sealed.slice(at + 1)]
      for (const text of [`${before}${sealed[at] === 'A' ? 'B' : 'A'}${after}`, `${before}${after}`, `${sealed}A`]) {
        assert.notEqual(box.open(text, context).kind, 'opened', text)
      }
    }
    for (const text of [
      '',
      's1',
      's1..',
      `s1.${box.secretId}.`,
      `s1.${box.secretId}.AAAA`,
      `${sealed}\n`,
      ` ${sealed}`,
    ]) {
      assert.equal(box.open(text, context).kind, 'damaged', JSON.stringify(text))
    }
  })

  it('shows neither a secret nor a plain text in its texts, errors and inspected values', () => {
    const box = boxOf(old)
    const sealed = box.seal(plain, context)
    const thrown = [boxOf(fresh).open(sealed, context), box.open(sealed, ['other'])].map((opened) => {
      try {
        return requireOpened(opened, 'the DKIM key of acme.example')
      } catch (fault) {
        return fault
      }
    })
    const shown = [sealed, inspect(box, { depth: 9, showHidden: true }), inspect(thrown, { depth: 9 })].join('\n')
    for (const hidden of [old, fresh, plain.toString(), plain.toString('base64url'), plain.toString('hex')]) {
      assert.ok(!shown.includes(hidden), hidden)
    }
  })

  it('names the variable and the id of a secret that is missing', () => {
    const opened = boxOf(fresh).open(boxOf(old).seal(plain, context), context)
    assert.throws(
      () => requireOpened(opened, 'the DKIM key of acme.example'),
      (thrown) =>
        thrown instanceof Fault &&
        thrown.code === 'conflict' &&
        thrown.message === unknownSecret(boxOf(old).secretId, 'the DKIM key of acme.example').message,
    )
    assert.match(
      unknownSecret('x', 'the DKIM key of a.example').message,
      /is not configured .* add it to POSTRIDER_SECRET/,
    )
    assert.throws(() => requireOpened({ kind: 'damaged' }, 'the key'), /The stored form of the key is damaged/)
  })
})

const variables: [name: string, text: string, secrets: string[]][] = [
  ['one secret', old, [old]],
  ['two secrets', `${fresh},${old}`, [fresh, old]],
  ['white space around secrets', ` ${fresh} , ${old} `, [fresh, old]],
  ['three secrets', `${fresh},${old},${fresh}2`, [fresh, old, `${fresh}2`]],
  ['one secret with a comma', `short,${old}`, [`short,${old}`]],
  ['one secret with a comma at its end', `${old},`, [`${old},`]],
]

describe('secrets of the variable', () => {
  for (const [name, text, secrets] of variables) {
    it(`reads ${name}`, () => assert.deepEqual(masterSecrets(text), secrets))
  }
})
