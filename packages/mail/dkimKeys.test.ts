import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { inspect } from 'node:util'
import { type DkimKeyPair, dkimRecordText, generateDkimKey, parseDkimKey } from './dkimKeys.ts'
import type { DkimAlgorithm } from './dkimSignature.ts'

const algorithms: [DkimAlgorithm, bits: number | undefined][] = [
  ['rsa-sha256', 2_048],
  ['ed25519-sha256', undefined],
]

describe('DKIM key pair', () => {
  for (const [algorithm, bits] of algorithms) {
    let pair: DkimKeyPair
    before(async () => {
      pair = await generateDkimKey(algorithm)
    })

    it(`has a private key and its record for ${algorithm}`, () => {
      const key = parseDkimKey(algorithm, pair.privateKey)
      assert.equal(key.asymmetricKeyDetails?.modulusLength, bits)
      assert.equal(pair.record, dkimRecordText(createPublicKey(key)))
      assert.equal(pair.algorithm, algorithm)
      const hash = algorithm === 'rsa-sha256' ? 'sha256' : null
      assert.ok(verify(hash, Buffer.from('text'), key, sign(hash, Buffer.from('text'), key)))
    })

    it(`is different each time for ${algorithm}`, async () => {
      assert.notEqual((await generateDkimKey(algorithm)).record, pair.record)
    })

    it(`is not read from bytes of another key for ${algorithm}, and no error contains them`, () => {
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

describe('DKIM record', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey
  const ed25519 = generateKeyPairSync('ed25519').publicKey
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey

  it('begins with the version and has the key of its algorithm', () => {
    assert.match(dkimRecordText(rsa), /^v=DKIM1; k=rsa; p=MIIBIjAN[A-Za-z\d+/]+AQAB$/)
    assert.match(dkimRecordText(ed25519), /^v=DKIM1; k=ed25519; p=[A-Za-z\d+/]{43}=$/)
  })

  it('has the key of the example of RFC 8463 §A.2', () => {
    const p = '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='
    const x = Buffer.from(p, 'base64').toString('base64url')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    assert.equal(dkimRecordText(key), `v=DKIM1; k=ed25519; p=${p}`)
  })

  it('throws for a key of another algorithm', () => {
    assert.throws(() => dkimRecordText(ec), /RSA or Ed25519/)
  })
})
