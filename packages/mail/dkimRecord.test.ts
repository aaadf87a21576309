import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { assertIterationsBelow } from '../../test/support/cost.ts'
import { type DkimRecord, dkimRecordText, isSameDkimKey, parseDkimRecord } from './dkimRecord.ts'

const rsaKey = (bits: number): KeyObject => generateKeyPairSync('rsa', { modulusLength: bits }).publicKey
const rsa = rsaKey(2_048)
const ed25519 = generateKeyPairSync('ed25519').publicKey
const spki = rsa.export({ format: 'der', type: 'spki' })
const pRsa = spki.toString('base64')
const pkcs1 = rsa.export({ format: 'der', type: 'pkcs1' }).toString('base64')
const pEd = ed25519.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')
const ecKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey

/** RFC 8463 §A.2. */
const ofRfc8463 = 'v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='
/** RFC 6376 §C.2. */
const ofRfc6376 =
  'v=DKIM1; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP/UC3SBsEmGqZ9ZJW3/DkMoGeLnQg1fWn7/zYtIxN2SnFCjxOCKG9v3b4jYfcTNh5ijSsq631uBItLa7od+v/RtdC2UzJ1lWT947qR+Rcac2gbto/NMqJ0fzfVjH4OuKhitdY9tf6mcwGjaNBcWToIMmPSPDdQPNUYckcQ2QIDAQAB'

const brief = (record: DkimRecord): string => {
  if (record.kind === 'revoked') return 'revoked'
  if (record.kind === 'invalid') return record.tag === null ? record.problem : `${record.problem} ${record.tag}`
  const flags = [record.isTesting ? ['testing'] : [], record.isStrict ? ['strict'] : []].flat()
  return [record.keyType, record.bits, ...flags].join(' ')
}

const records: [name: string, text: string, result: string][] = [
  ['our RSA record', dkimRecordText(rsa), 'rsa 2048'],
  ['our Ed25519 record', dkimRecordText(ed25519), 'ed25519 256'],
  ['the record of RFC 6376', ofRfc6376, 'rsa 1024'],
  ['the record of RFC 8463', ofRfc8463, 'ed25519 256'],
  ['a key in the form of PKCS#1', `v=DKIM1; k=rsa; p=${pkcs1}`, 'rsa 2048'],
  ['only a key', `p=${pRsa}`, 'rsa 2048'],
  ['no white space and a semicolon at the end', `v=DKIM1;k=rsa;p=${pRsa};`, 'rsa 2048'],
  ['much white space', ` v = DKIM1 ;\r\n k = rsa ;\t p = ${pRsa.replace(/(.{64})/g, '$1 ')} ; `, 'rsa 2048'],
  ['line breaks in the key', `v=DKIM1; p=${pRsa.replace(/(.{64})/g, '$1\r\n\t')}`, 'rsa 2048'],
  ['unknown tags and notes', `v=DKIM1; n=made by us; foo=bar; g=*; p=${pRsa}`, 'rsa 2048'],
  ['several hashes', `v=DKIM1; h=sha1:sha256; p=${pRsa}`, 'rsa 2048'],
  ['hashes with white space', `v=DKIM1; h= sha256 : sha1; p=${pRsa}`, 'rsa 2048'],
  ['the service email', `v=DKIM1; s=email; p=${pRsa}`, 'rsa 2048'],
  ['any service', `v=DKIM1; s=other:*; p=${pRsa}`, 'rsa 2048'],
  ['the test mode', `v=DKIM1; t=y; p=${pRsa}`, 'rsa 2048 testing'],
  ['the strict flag', `v=DKIM1; t=s; p=${pRsa}`, 'rsa 2048 strict'],
  ['both flags and an unknown one', `v=DKIM1; t=y:s:z; p=${pRsa}`, 'rsa 2048 testing strict'],
  ['a revoked key', 'v=DKIM1; p=', 'revoked'],
  ['a revoked key with white space', 'v=DKIM1; k=ed25519; p= ;', 'revoked'],
  ['an empty text', '', 'malformed'],
  ['white space', ' \t', 'malformed'],
  ['another text', 'hello', 'malformed'],
  ['quotes around the record', `"v=DKIM1; k=rsa; p=${pRsa}"`, 'malformed'],
  ['quotes in the key', `v=DKIM1; k=rsa; p=${pRsa.slice(0, 200)}" "${pRsa.slice(200)}`, 'malformed p'],
  ['escaped semicolons', `v=DKIM1\\; k=rsa\\; p=${pRsa}`, 'malformed v'],
  ['an empty tag', `v=DKIM1;; p=${pRsa}`, 'malformed'],
  ['a character outside ASCII', `v=DKIM1; n=ä; p=${pRsa}`, 'malformed'],
  ['a very long text', `v=DKIM1; n=${'x'.repeat(10_000)}; p=${pRsa}`, 'malformed'],
  ['two keys', `v=DKIM1; p=${pRsa}; p=${pRsa}`, 'duplicate_tag p'],
  ['an SPF record', 'v=spf1 include:example.com -all', 'version v'],
  ['a DMARC record', 'v=DMARC1; p=none', 'version v'],
  ['a version in lower case', `v=dkim1; p=${pRsa}`, 'version v'],
  ['a version that is not first', `k=rsa; v=DKIM1; p=${pRsa}`, 'version v'],
  ['no key', 'v=DKIM1; k=rsa', 'no_key p'],
  ['a tag p in upper case', `v=DKIM1; P=${pRsa}`, 'no_key p'],
  ['an unknown type', `v=DKIM1; k=ecdsa; p=${pRsa}`, 'unknown_key_type k'],
  ['other hashes', `v=DKIM1; h=sha1; p=${pRsa}`, 'hash_not_allowed h'],
  ['another service', `v=DKIM1; s=other; p=${pRsa}`, 'not_for_email s'],
  ['characters that are not base64', `v=DKIM1; p=${pRsa.slice(0, 99)}-${pRsa.slice(100)}`, 'not_base64 p'],
  ['padding inside the key', `v=DKIM1; p=${pRsa.slice(0, 98)}==${pRsa.slice(100)}`, 'not_base64 p'],
  [
    'a key of another algorithm',
    `v=DKIM1; p=${ecKey.export({ format: 'der', type: 'spki' }).toString('base64')}`,
    'not_a_key p',
  ],
  ['an Ed25519 key declared as RSA', `v=DKIM1; k=rsa; p=${pEd}`, 'not_a_key p'],
  ['an RSA key declared as Ed25519', `v=DKIM1; k=ed25519; p=${pRsa}`, 'not_a_key p'],
  [
    'an Ed25519 key with its frame',
    `v=DKIM1; k=ed25519; p=${ed25519.export({ format: 'der', type: 'spki' }).toString('base64')}`,
    'not_a_key p',
  ],
  ['a key that was pasted twice', `v=DKIM1; p=${pRsa}${pRsa}`, 'not_a_key p'],
  ['a short RSA key', dkimRecordText(rsaKey(512)), 'weak_key p'],
  ['an Ed25519 key that ends early', `v=DKIM1; k=ed25519; p=${pEd.slice(0, 40)}`, 'truncated_key p'],
]

describe('DKIM record', () => {
  for (const [name, text, result] of records) {
    it(`of ${name} is read as ${result}`, () => assert.equal(brief(parseDkimRecord(text)), result))
  }

  it('begins with the version and has the key of its algorithm', () => {
    assert.match(dkimRecordText(rsa), /^v=DKIM1; k=rsa; p=MIIBIjAN[A-Za-z\d+/]+AQAB$/)
    assert.match(dkimRecordText(ed25519), /^v=DKIM1; k=ed25519; p=[A-Za-z\d+/]{43}=$/)
  })

  it('of a key that ends early is recognized at every length', () => {
    for (let length = 8; length < pRsa.length - 4; length++) {
      assert.equal(brief(parseDkimRecord(`v=DKIM1; k=rsa; p=${pRsa.slice(0, length)}`)), 'truncated_key p', `${length}`)
    }
  })

  it('compares records by their key', () => {
    const own = parseDkimRecord(dkimRecordText(rsa))
    assert.ok(isSameDkimKey(own, parseDkimRecord(`p=${pkcs1}`)))
    assert.ok(isSameDkimKey(own, parseDkimRecord(`v=DKIM1;t=y;p=${pRsa.replace(/(.{50})/g, '$1 ')}`)))
    for (const other of [dkimRecordText(rsaKey(2_048)), dkimRecordText(ed25519), 'v=DKIM1; p=', 'hello']) {
      assert.ok(!isSameDkimKey(own, parseDkimRecord(other)), other)
      assert.ok(!isSameDkimKey(parseDkimRecord(other), own), other)
    }
    assert.ok(!isSameDkimKey(parseDkimRecord('v=DKIM1; p='), parseDkimRecord('v=DKIM1; p=')))
  })

  it('throws for a key of another algorithm', () => {
    assert.throws(() => dkimRecordText(ecKey), /RSA or Ed25519/)
    assert.throws(
      () => dkimRecordText(createPublicKey(ecKey.export({ format: 'pem', type: 'spki' }))),
      /RSA or Ed25519/,
    )
  })

  it('reads any text as a record without an error', () => {
    const parts = [
      'v=DKIM1',
      ';',
      'p=',
      pRsa,
      pEd,
      'k=ed25519',
      '=',
      ' ',
      '__proto__=1',
      'constructor=1',
      '"',
      '\0',
      'ä',
    ]
    const text = fc.oneof(
      fc.string({ unit: 'binary-ascii' }),
      fc.array(fc.constantFrom(...parts)).map((some) => some.join('')),
    )
    fc.assert(fc.property(text, (any) => ['key', 'revoked', 'invalid'].includes(parseDkimRecord(any).kind)))
  })

  it('reads a record in linear time', async () => {
    const texts = [`v=${' '.repeat(8_000)}ä`, `${' '.repeat(8_000)}v`, ';'.repeat(8_000), `p=${'A '.repeat(4_000)}`]
    await assertIterationsBelow(50, async () => {
      for (const text of texts) parseDkimRecord(text)
    })
  })
})
