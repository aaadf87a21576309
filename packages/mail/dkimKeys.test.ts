import assert from 'node:assert/strict'
import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { inspect } from 'node:util'
import { type DkimKeyPair, dkimRecordOf, generateDkimKey, makeDkimKeyCache, parseDkimKey } from './dkimKeys.ts'
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

    it(`of ${algorithm} is another one each time`, async () => {
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

describe('cache of DKIM keys', () => {
  const key = generateKeyPairSync('ed25519').privateKey
  const nameOf = (number: number, version = '1') => ({ domain: `d${number}.example`, selector: 's', version })

  /** Returns whether the cache has the key of a name, without a change of what it has. */
  const usesOf = (most: number) => {
    const cache = makeDkimKeyCache({ most })
    let parsed = 0
    return {
      cache,
      isParsed: (number: number, version?: string): boolean => {
        const before = parsed
        cache.get(nameOf(number, version), () => {
          parsed += 1
          return key
        })
        return parsed > before
      },
    }
  }

  it('parses each DKIM key once', () => {
    const { isParsed } = usesOf(10)
    assert.deepEqual([isParsed(1), isParsed(1), isParsed(2), isParsed(1)], [true, false, true, false])
  })

  it('parses a key that was replaced', () => {
    const { isParsed } = usesOf(10)
    assert.deepEqual([isParsed(1), isParsed(1, '2'), isParsed(1, '2'), isParsed(1)], [true, true, false, true])
  })

  it('distinguishes domains and selectors', () => {
    const cache = makeDkimKeyCache()
    const one = generateKeyPairSync('ed25519').privateKey
    cache.get({ domain: 'a.example', selector: 's', version: '1' }, () => one)
    for (const other of [
      { domain: 'b.example', selector: 's' },
      { domain: 'a.example', selector: 't' },
    ]) {
      assert.equal(
        cache.get({ ...other, version: '1' }, () => key),
        key,
      )
    }
  })

  it('drops the key that was used least recently', () => {
    const { isParsed } = usesOf(3)
    for (const number of [1, 2, 3]) isParsed(number)
    assert.equal(isParsed(1), false)
    assert.equal(isParsed(4), true)
    assert.deepEqual(
      [1, 3, 4].map((number) => isParsed(number)),
      [false, false, false],
    )
    assert.equal(isParsed(2), true)
  })

  it('stores nothing if parsing throws', () => {
    const { cache, isParsed } = usesOf(3)
    const fails = () => {
      throw new Error('the private key is not one of rsa-sha256')
    }
    assert.throws(() => cache.get(nameOf(1), fails))
    assert.equal(isParsed(1), true)
    assert.throws(() => cache.get(nameOf(1, '2'), fails))
    assert.equal(isParsed(1), false)
  })

  it('forgets the keys of a domain', () => {
    const { cache, isParsed } = usesOf(10)
    for (const number of [1, 2]) isParsed(number)
    cache.forget('d1.example')
    assert.deepEqual([isParsed(1), isParsed(2)], [true, false])
  })
})
