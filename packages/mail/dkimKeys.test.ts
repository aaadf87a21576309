import assert from 'node:assert/strict'
import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { inspect } from 'node:util'
import { type DkimKeyPair, dkimRecordOf, generateDkimKey, parseDkimKey } from './dkimKeys.ts'
import { isSameDkimKey, parseDkimRecord } from './dkimRecord.ts'
import type { DkimAlgorithm } from './dkimSignature.ts'

const algorithms: [DkimAlgorithm, bits: number][] = [
  ['rsa-sha256', 2_048],
  ['ed25519-sha256', 256],
]

describe('DKIM key pair', () => {
  for (const [algorithm, bits] of algorithms) {
    let pair: DkimKeyPair
    before(async () => {
      pair = await generateDkimKey(algorithm)
    })

    it(`of ${algorithm} has a private key and the record that belongs to it`, () => {
      const key = parseDkimKey(algorithm, pair.privateKey)
      const record = parseDkimRecord(pair.record)
      assert.equal(record.kind === 'key' ? record.bits : record.kind, bits)
      assert.ok(isSameDkimKey(record, parseDkimRecord(dkimRecordOf(key))))
      assert.equal(pair.algorithm, algorithm)
      const hash = algorithm === 'rsa-sha256' ? 'sha256' : null
      assert.ok(verify(hash, Buffer.from('text'), key, sign(hash, Buffer.from('text'), key)))
    })

    it(`of ${algorithm} is different each time`, async () => {
      assert.notEqual((await generateDkimKey(algorithm)).record, pair.record)
    })

    it(`of ${algorithm} is not read from the bytes of another key, and no error contains them`, () => {
      const { privateKey } = pair
      const [other] = algorithms.map(([name]) => name).filter((name) => name !== algorithm)
      const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'der', type: 'pkcs8' })
      const wrong: [DkimAlgorithm, Buffer][] = [
        [other ?? algorithm, privateKey],
        [algorithm, ec],
        [algorithm, privateKey.subarray(0, -1)],
        [algorithm, Buffer.alloc(0)],
        [algorithm, Buffer.from('hello')],
      ]
      for (const [name, bytes] of wrong) {
        assert.throws(
          () => parseDkimKey(name, bytes),
          (thrown) =>
            thrown instanceof Error &&
            thrown.cause === undefined &&
            /^the private key is not one of/.test(thrown.message),
        )
      }
    })
  }

  it('is read from a part of a larger buffer', async () => {
    const { privateKey } = await generateDkimKey('ed25519-sha256')
    const larger = Buffer.concat([Buffer.from('xx'), privateKey, Buffer.from('yy')])
    const part = new Uint8Array(larger.buffer, larger.byteOffset + 2, privateKey.length)
    assert.equal(parseDkimKey('ed25519-sha256', part).asymmetricKeyType, 'ed25519')
  })

  it('does not show the private key when a parsed key is inspected', async () => {
    const { privateKey } = await generateDkimKey('ed25519-sha256')
    const shown = inspect(parseDkimKey('ed25519-sha256', privateKey), { depth: 9, showHidden: true })
    assert.ok(!shown.includes(privateKey.subarray(-32).toString('hex')))
  })
})
