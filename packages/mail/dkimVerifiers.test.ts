import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createPublicKey, generateKeyPairSync, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { text as textOf } from 'node:stream/consumers'
import fc from 'fast-check'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { dmarc } from 'mailauth/lib/dmarc/index.js'
import DKIM from 'nodemailer/lib/dkim'
import { withTools } from '../../charts/gen/tools.ts'
import { inOneStep } from '../../test/support/inOneStep.ts'
import { skip } from '../../test/support/skip.ts'
import { type AddressForm, composeSteps, type Message } from './compose.ts'
import { type PrivateDkimKey, signMessage } from './dkim.ts'
import { dkimRecordText } from './dkimKeys.ts'

const compose = inOneStep(composeSteps)

/*
 * Verifies signatures of generated messages with two verifiers that share no code with the signer or with each other.
 */

const count = 500
const seed = Number(process.env['POSTRIDER_DKIM_SEED'] ?? randomInt(2 ** 31))

const dayMs = 86_400_000

/** A day ago by the clock of both verifiers, which refuse signatures of the future and those that are 7 days old. */
const at = Date.now() - dayMs

/** The domain of From, the one of the signature, and the alignment that DMARC requires. */
const domains: { from: string; signs: string; policy: string }[] = [
  { from: 'acme.example', signs: 'acme.example', policy: 'adkim=s' },
  { from: 'news.acme.example', signs: 'acme.example', policy: 'adkim=r' },
  { from: 'xn--mnchen-3ya.example', signs: 'xn--mnchen-3ya.example', policy: 'adkim=s' },
  { from: `${'m'.repeat(63)}.example`, signs: `${'m'.repeat(63)}.example`, policy: 'adkim=s' },
]

const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey
const ed25519 = generateKeyPairSync('ed25519').privateKey
const keys: PrivateDkimKey[] = [
  { selector: 'pr1', algorithm: 'rsa-sha256', key: rsa },
  { selector: 'pr2.sub', algorithm: 'ed25519-sha256', key: ed25519 },
]

const records: Record<string, string> = Object.fromEntries(
  domains.flatMap(({ signs, policy }) => [
    ...keys.map(({ selector, key }) => [`${selector}._domainkey.${signs}`, dkimRecordText(createPublicKey(key))]),
    [`_dmarc.${signs}`, `v=DMARC1; p=reject; ${policy}`],
  ]),
)

const resolver = async (name: string): Promise<string[][]> => {
  const record = records[name]
  if (record === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
  // As a DNS server returns it: in strings of at most 255 bytes.
  return [record.match(/.{1,255}/g) ?? []]
}

const oneLine = (maxLength: number) =>
  fc
    .string({ unit: fc.constantFrom(...'abcXYZ019 ,;:."@=?_-<>\\é東🎉'), maxLength })
    .map((text) => text.replace(/ +/g, ' ').trim())

const bodyText = fc.oneof(
  fc.constantFrom(
    '',
    '\n',
    '\n\n\n',
    ' ',
    '\t\n',
    '.',
    '.\n.\n..\n',
    'a',
    '\na',
    `${'x'.repeat(998)}\n`,
    'y'.repeat(5_000),
  ),
  fc
    .array(
      fc.oneof(
        oneLine(120),
        fc.constantFrom(
          '\n',
          '\n\n',
          '\r\n',
          '\r',
          '\n.',
          ' \n',
          '\t\n',
          ' \t ',
          '\n..x\n',
          'z'.repeat(1_200),
          '\n \n',
        ),
      ),
      { maxLength: 20 },
    )
    .map((parts) => parts.join('')),
)

const mailbox = fc.record({
  name: oneLine(90),
  address: fc
    .tuple(fc.stringMatching(/^[a-z]{1,8}(\.[a-z]{1,4})?$/), fc.constantFrom('example.com', 'xn--bcher-kva.example'))
    .map((parts) => parts.join('@')),
})

/** Addresses that need SMTPUTF8. */
const utf8Mailbox = fc.record({
  name: oneLine(30),
  address: fc.constantFrom('grüße@example.com', '用户@xn--bcher-kva.example'),
})

const headers = fc.record(
  {
    'X-Note': oneLine(300),
    References: fc
      .array(fc.constantFrom('<a@b.example>', '<c@d.example>'), { maxLength: 40 })
      .map((ids) => ids.join(' ')),
    'In-Reply-To': fc.constant('<a@b.example>'),
    'List-Unsubscribe': fc.constant('<https://acme.example/u/abc>, <mailto:u+abc@acme.example>'),
    'List-Unsubscribe-Post': fc.constant('List-Unsubscribe=One-Click'),
    'Feedback-ID': fc.constant('1:2:3:acme'),
  },
  { requiredKeys: [] },
)

/** How the finished message is changed before it is signed, for forms that the composer does not write. */
const finished: Record<string, (message: Buffer) => Buffer> = {
  'as it is': (message) => message,
  'no final line end': (message) => message.subarray(0, message.length - 2),
  'empty lines at the end': (message) => Buffer.concat([message, Buffer.from('\r\n \r\n\t\r\n\r\n')]),
  'an 8-bit body': (message) => Buffer.concat([message, Buffer.from('Größe  東京\t\r\n.\r\n \xa0', 'utf8')]),
  'an empty body': (message) => message.subarray(0, message.indexOf('\r\n\r\n') + 4),
}

type Case = {
  message: Message
  form: AddressForm
  finish: string
  domain: (typeof domains)[number]
  keys: PrivateDkimKey[]
}

const cases: fc.Arbitrary<Case> = fc.record({
  domain: fc.constantFrom(...domains),
  form: fc.constantFrom('ascii', 'utf8'),
  finish: fc.constantFrom('as it is', 'as it is', ...Object.keys(finished)),
  keys: fc.constantFrom(keys, keys, keys.slice(0, 1), keys.slice(1), keys.toReversed()),
  message: fc.record({
    id: fc.constant('em_01h455vb4pex5vsknk084sn02q'),
    from: mailbox,
    to: fc.array(fc.oneof({ weight: 4, arbitrary: mailbox }, { weight: 1, arbitrary: utf8Mailbox }), {
      minLength: 1,
      maxLength: 12,
    }),
    cc: fc.array(mailbox, { maxLength: 3 }),
    replyTo: fc.array(mailbox, { maxLength: 2 }),
    subject: oneLine(400),
    date: fc.constant(new Date(at)),
    messageId: fc.constant('<em_01h455vb4pex5vsknk084sn02q@acme.example>'),
    headers: headers as fc.Arbitrary<Record<string, string>>,
    html: fc.option(bodyText.map((text) => `<p>${text}</p>`)),
    text: fc.option(bodyText, { freq: 4 }),
    attachments: fc.array(
      fc.record({
        filename: oneLine(90).map((name) => `${name.replaceAll('/', '_')}.bin`),
        contentType: fc.constantFrom('', 'image/png', 'text/csv; charset=utf-8'),
        contentId: fc.option(fc.constantFrom('a@b', 'c@d')),
        content: fc.uint8Array({ maxLength: 400 }),
      }),
      { maxLength: 2 },
    ),
  }),
})

type Signed = {
  bytes: Buffer
  message: Buffer
  field: string
  keys: PrivateDkimKey[]
  domain: (typeof domains)[number]
}

const signed = async ({ message, form, finish, domain, keys: signingKeys }: Case): Promise<Signed> => {
  const from = { ...message.from, address: `mail@${domain.from}` }
  const composed = finished[finish]?.(compose({ ...message, from }, form)) ?? Buffer.alloc(0)
  const field = await signMessage({ message: composed, domain: domain.signs, keys: signingKeys, at })
  // A message ends with a line end when it arrives, because the final dot is on a line of its own (RFC 5321 §4.1.1.4).
  const lineEnd = Buffer.from(composed.toString('latin1').endsWith('\r\n') ? '' : '\r\n')
  const bytes = Buffer.concat([field, composed, lineEnd])
  return { bytes, message: composed, field: field.toString('latin1'), keys: signingKeys, domain }
}

/** Returns the results of mailauth in the order of the signatures, and the one of DMARC. */
const byMailauth = async (bytes: Buffer, curTime = new Date()): Promise<{ dkim: string[]; dmarc: string }> => {
  const { results, headerFrom } = await dkimVerify(bytes, { resolver, curTime })
  const passed = results.filter(({ status }) => status.result === 'pass')
  const found = await dmarc({
    headerFrom,
    spfDomains: [],
    dkimDomains: passed.map(({ signingDomain = '' }) => ({ domain: signingDomain })),
    resolver,
  })
  return { dkim: results.map(({ status }) => status.result), dmarc: found ? found.status.result : 'none' }
}

/** Returns a copy with one changed byte in the signed part of the header, or in the body. */
const mutated = ({ bytes, field }: Signed, number: number): Buffer => {
  const copy = Buffer.from(bytes)
  const end = bytes.indexOf('\r\nMessage-ID')
  const blank = bytes.indexOf('\r\n\r\n')
  // A message without a body may end with its header.
  const inBody = blank === -1 ? bytes.length : blank + 4
  const offsets = [...bytes.keys()].filter((offset) => (offset > field.length && offset < end) || offset >= inBody)
  const letters = offsets.filter((offset) => /[A-Za-z\d]/.test(String.fromCharCode(bytes[offset] ?? 0)))
  const offset = letters[(number * 7_919) % letters.length] ?? 0
  copy[offset] = (copy[offset] ?? 0) ^ 1
  return copy
}

describe(`signatures of ${count} generated messages`, () => {
  let all: Signed[] = []
  /** Each tenth message with a changed byte. */
  let changed: Buffer[] = []

  before(async () => {
    process.stdout.write(`    seed ${seed} (POSTRIDER_DKIM_SEED)\n`)
    for (const one of fc.sample(cases, { seed, numRuns: count })) all.push(await signed(one))
    changed = all.filter((_, index) => index % 10 === 0).map(mutated)
  })

  after(() => {
    all = []
    changed = []
  })

  it('pass with mailauth and are aligned for DMARC', async () => {
    for (const [index, { bytes, keys: signingKeys }] of all.entries()) {
      const expected = { dkim: signingKeys.map(() => 'pass'), dmarc: 'pass' }
      assert.deepEqual(await byMailauth(bytes), expected, `message ${index}:\n${bytes.toString('latin1')}`)
    }
  })

  it('fail with mailauth after a change of one byte', async () => {
    for (const [index, bytes] of changed.entries()) {
      const { dkim, dmarc: policy } = await byMailauth(bytes)
      assert.ok(!dkim.includes('pass') && policy !== 'pass', `message ${index * 10}:\n${bytes.toString('latin1')}`)
    }
  })

  it('pass with mailauth for 7 days, and not after that', async () => {
    for (const { bytes, keys: signingKeys } of all.slice(0, 20))
      for (const [age, result] of [
        [6.9, 'pass'],
        [7.1, 'neutral'],
      ] as const) {
        const { dkim } = await byMailauth(bytes, new Date(at + age * dayMs))
        assert.deepEqual(
          dkim,
          signingKeys.map(() => result),
        )
      }
  })

  it('are not aligned for DMARC with another domain', async () => {
    const foreign = all.find(({ domain }) => domain.from === 'acme.example')
    assert.ok(foreign)
    const field = await signMessage({ message: foreign.message, domain: 'xn--mnchen-3ya.example', keys, at })
    const { dkim, dmarc: policy } = await byMailauth(Buffer.concat([field, foreign.message]))
    assert.deepEqual([dkim, policy], [['pass', 'pass'], 'fail'])
  })

  it('pass with dkimpy, and fail after a change of one byte', async function passWithDkimpy() {
    const why = await whyNoDkimpy()
    if (why !== null) skip(this, why)
    const results = await byDkimpy([...all.map(({ bytes }) => bytes), ...changed])
    for (const [index, { keys: signingKeys, bytes }] of all.entries()) {
      assert.deepEqual(
        results[index],
        signingKeys.map(() => true),
        `message ${index}:\n${bytes.toString('latin1')}`,
      )
    }
    for (const [index, result] of results.slice(count).entries()) {
      assert.ok(
        result.length > 0 && !result.includes(true),
        `message ${index * 10}:\n${changed[index]?.toString('latin1')}`,
      )
    }
  })

  it('have the body hash that nodemailer computes', async () => {
    const privateKey = rsa.export({ format: 'pem', type: 'pkcs1' }).toString()
    const signer = new DKIM({ domainName: 'acme.example', keySelector: 's', privateKey })
    for (const { message, field } of all.slice(0, 100)) {
      const theirs = await textOf(signer.sign(message))
      assert.equal(bodyHashOf(field), bodyHashOf(theirs), message.toString('latin1'))
    }
  })
})

const bodyHashOf = (field: string): string | undefined => /\bbh=([^;]*);/.exec(field)?.[1]?.replace(/\s/g, '')

const root = join(import.meta.dirname, '../..')

const whyNoDkimpy = (): Promise<string | null> =>
  new Promise((resolve) => {
    execFile('python3', ['-c', 'import dkim, nacl'], { env: withTools() }, (thrown) =>
      resolve(thrown ? 'python3 is not installed, or lacks dkimpy and PyNaCl' : null),
    )
  })

/** Returns the results of each message: true or a reason for each of its signatures. */
const byDkimpy = async (messages: readonly Buffer[]): Promise<(true | string)[][]> => {
  const child = spawn('python3', [join(root, 'test/support/dkimpy.py')], { env: withTools(), stdio: 'pipe' })
  const output = Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, 'exit')])
  // If the program ends early, its exit code and its errors are what counts.
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify({ records, messages: messages.map((message) => message.toString('base64')) }))
  const [results, errors, [code]] = await output
  assert.equal(code, 0, errors)
  return JSON.parse(results) as (true | string)[][]
}
