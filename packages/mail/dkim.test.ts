import assert from 'node:assert/strict'
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { assertIterationsBelow } from '../../test/support/cost.ts'
import { inOneStep } from '../../test/support/inOneStep.ts'
import { makeSlices } from '../kit/slices.ts'
import { composeSteps, type Message } from './compose.ts'
import { type PrivateDkimKey, signMessage } from './dkim.ts'

const compose = inOneStep(composeSteps)

const ed25519: PrivateDkimKey = {
  selector: 'pr2',
  algorithm: 'ed25519-sha256',
  key: generateKeyPairSync('ed25519').privateKey,
}
const rsa: PrivateDkimKey = {
  selector: 'pr1',
  algorithm: 'rsa-sha256',
  key: generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey,
}

const domain = 'acme.example'
const at = Date.UTC(2026, 10, 22, 9, 8, 7, 999)

const mail: Message = {
  id: 'em_01h455vb4pex5vsknk084sn02q',
  from: { name: 'Acme', address: `mail@${domain}` },
  to: [{ name: 'Jane', address: 'jane@example.com' }],
  cc: [],
  replyTo: [],
  subject: 'Hello',
  date: new Date(at),
  messageId: `<em_1@${domain}>`,
  headers: {},
  html: null,
  text: 'Dear  Jane\n.\n',
  attachments: [],
}

const sign = async (message: Buffer, keys: readonly PrivateDkimKey[] = [ed25519]): Promise<string> =>
  (await signMessage({ message, domain, keys, at })).toString('latin1')

const tagsOf = (field: string): Record<string, string> => {
  const tags = field.slice(field.indexOf(':') + 1).split(';')
  return Object.fromEntries(
    tags.map((tag) => {
      const [name = '', ...value] = tag.trim().split('=')
      return [name, value.join('=').replace(/\s+/g, '')]
    }),
  )
}

/** Returns the fields of a header as lines without folds, and the body. Written apart from the signer. */
const split = (message: string): { fields: string[]; body: string } => {
  const end = message.indexOf('\r\n\r\n')
  const header = end === -1 ? message : message.slice(0, end)
  return { fields: header.split(/\r\n(?![ \t])/), body: end === -1 ? '' : message.slice(end + 4) }
}

const relaxedField = (field: string): string => {
  const [, name = '', value = ''] = /^([^:]*):(.*)$/s.exec(field) ?? []
  const text = value.replace(/\r\n/g, '').replace(/[ \t]+/g, ' ')
  return `${name.replace(/[ \t]+$/, '').toLowerCase()}:${text.replace(/^ | $/g, '')}`
}

/** Returns what a signature covers, by the words of RFC 6376 §3.7 and without the code of the signer. */
const coveredBy = (signature: string, message: string): { header: string; body: string } => {
  const { fields, body } = split(message)
  const left = fields.map(relaxedField)
  const header = (tagsOf(signature)['h'] ?? '').split(':').flatMap((name) => {
    const index = left.findLastIndex((field) => field.startsWith(`${name.toLowerCase()}:`))
    return index === -1 ? [] : [`${left.splice(index, 1)[0]}\r\n`]
  })
  const bare = relaxedField(signature.replace(/(;\s*b=)[^;]*/, '$1'))
  const lines = body.split('\r\n').map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''))
  const text = lines.join('\r\n').replace(/(?:\r\n)+$/, '')
  return { header: `${header.join('')}${bare}`, body: text === '' ? '' : `${text}\r\n` }
}

const isValid = (signature: string, message: string, key: KeyObject): boolean => {
  const { header, body } = coveredBy(signature, message)
  const { b = '', bh } = tagsOf(signature)
  if (createHash('sha256').update(body, 'latin1').digest('base64') !== bh) return false
  const data = Buffer.from(header, 'latin1')
  const value = Buffer.from(b, 'base64')
  if (key.asymmetricKeyType === 'rsa') return verify('sha256', data, key, value)
  return verify(null, createHash('sha256').update(data).digest(), key, value)
}

const publicKey = createPublicKey(ed25519.key)

describe('signMessage', () => {
  it('returns the usual field', async () => {
    const field = await sign(compose(mail))
    const { b, ...tags } = tagsOf(field)
    assert.deepEqual(tags, {
      v: '1',
      a: 'ed25519-sha256',
      c: 'relaxed/relaxed',
      d: domain,
      s: 'pr2',
      t: String(Math.floor(at / 1_000)),
      x: String(Math.floor(at / 1_000) + 7 * 86_400),
      h: 'From:From:To:To:Cc:Subject:Subject:Date:Date:Message-ID:Message-ID:Reply-To:MIME-Version:MIME-Version:Content-Type:Content-Type:Content-Transfer-Encoding:Content-Transfer-Encoding',
      bh: createHash('sha256').update('Dear Jane\r\n.\r\n').digest('base64'),
    })
    assert.equal(Buffer.from(b ?? '', 'base64').length, 64)
  })

  it('signs with no key, one key and two keys', async () => {
    const message = compose(mail)
    assert.equal(await sign(message, []), '')
    for (const keys of [[rsa], [ed25519], [rsa, ed25519], [ed25519, rsa]]) {
      const { fields } = split(`${await sign(message, keys)}\r\n`)
      assert.deepEqual(
        fields.map((field) => tagsOf(field)['a']),
        keys.map(({ algorithm }) => algorithm),
      )
      for (const [index, { key }] of keys.entries()) {
        assert.ok(isValid(fields[index] ?? '', message.toString('latin1'), createPublicKey(key)))
      }
    }
  })

  it('writes no line over 76 characters and none that begins with a dot', async () => {
    const selectors = ['s', 'pr-2026-11-22-01', `${'a'.repeat(63)}`]
    const domains = ['a.de', domain, `${'b'.repeat(55)}.example`]
    for (const selector of selectors) {
      for (const name of domains) {
        const keys = [rsa, ed25519].map((key) => ({ ...key, selector }))
        const bytes = await signMessage({ message: compose(mail), domain: name, keys, at })
        const text = bytes.toString('latin1')
        assert.ok(text.endsWith('\r\n'))
        for (const line of text.slice(0, -2).split('\r\n')) {
          assert.ok(line.length <= 76, line)
          assert.match(line, /^(?:DKIM-Signature:| \S)[ -~]*[!-~]$/)
        }
      }
    }
  })

  it('does not divide a domain that is longer than a line', async () => {
    const long = `${'b'.repeat(63)}.${'c'.repeat(63)}.example`
    const text = (await signMessage({ message: compose(mail), domain: long, keys: [ed25519], at })).toString('latin1')
    assert.ok(text.includes(`d=${long};`))
  })

  it('signs the fields of the one-click unsubscribe and of threads where they are present', async () => {
    const lines = compose(mail).toString('latin1')
    const added = [
      'List-Unsubscribe: <https://acme.example/u/1>',
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      'References: <a@b> <c@d>',
      'X-Other: 1',
    ]
    const { h = '' } = tagsOf(await sign(Buffer.from(`${added.join('\r\n')}\r\n${lines}`, 'latin1')))
    assert.match(h, /:References:List-Unsubscribe:List-Unsubscribe-Post$/)
    assert.doesNotMatch(tagsOf(await sign(compose(mail)))['h'] ?? '', /List|References|X-Other/i)
  })

  it('covers each of several fields of one name', async () => {
    const message = `Cc: a@b.example\r\ncc : c@d.example\r\n${compose(mail).toString('latin1')}`
    const field = await sign(Buffer.from(message, 'latin1'))
    assert.equal((tagsOf(field)['h'] ?? '').match(/Cc/g)?.length, 3)
    assert.ok(isValid(field, message, publicKey))
    for (const changed of [message.replace('a@b', 'x@b'), message.replace('c@d', 'x@d')]) {
      assert.ok(!isValid(field, changed, publicKey))
    }
  })

  it('signs a message without a body and one without an empty line', async () => {
    const header = compose(mail).toString('latin1').split('\r\n\r\n')[0]
    for (const message of [`${header}\r\n\r\n`, `${header}\r\n`, `${header}`]) {
      const field = await sign(Buffer.from(message, 'latin1'))
      assert.equal(tagsOf(field)['bh'], createHash('sha256').digest('base64'))
      assert.ok(isValid(field, message.trimEnd(), publicKey), JSON.stringify(message.slice(-4)))
    }
  })

  it('signs a part of a larger buffer and does not change the message', async () => {
    const message = compose(mail)
    const larger = Buffer.concat([Buffer.from('xx'), message, Buffer.from('yy')])
    const before = Buffer.from(larger)
    const part = new Uint8Array(larger.buffer, larger.byteOffset + 2, message.length)
    const bytes = await signMessage({ message: part, domain, keys: [ed25519], at })
    assert.equal(bytes.toString('latin1'), await sign(message))
    assert.deepEqual(larger, before)
  })

  it('throws for a message without exactly one From, and for names that could end a tag', async () => {
    const message = compose(mail)
    const without = message.toString('latin1').replace(/^From:.*\r\n/, '')
    const twice = `From: x@y.example\r\n${message.toString('latin1')}`
    for (const text of [without, twice, '', '\r\n\r\nFrom: a@b']) {
      await assert.rejects(sign(Buffer.from(text, 'latin1')), /exactly one From/)
    }
    for (const name of ['', 'a; l=0', 'a\r\nX: y', 'a b', 'ä.example', '.a', 'a.', 'a'.repeat(300)]) {
      await assert.rejects(signMessage({ message, domain: name, keys: [ed25519], at }), /not a name of labels/)
      await assert.rejects(sign(message, [{ ...ed25519, selector: name }]), /not a name of labels/)
    }
  })

  it('rejects when a key cannot sign', async () => {
    const publicOnly = { ...rsa, key: createPublicKey(rsa.key) }
    await assert.rejects(sign(compose(mail), [ed25519, publicOnly]))
    for (const key of [
      { ...ed25519, key: rsa.key },
      { ...rsa, key: ed25519.key },
    ]) {
      await assert.rejects(sign(compose(mail), [key]), /the private key is not one of/)
    }
  })

  it('never blocks the process for 10 MiB', async () => {
    const slices = makeSlices()
    for (const line of ['Dear  Jane \r\n', `${'QUJD'.repeat(19)}\r\n`]) {
      const message = Buffer.concat([compose(mail), Buffer.alloc(10 * 2 ** 20, line)])
      await assertIterationsBelow(50, () => signMessage({ message, domain, keys: [rsa, ed25519], at }, slices.run))
    }
  })
})

const small: Message[] = [
  { ...mail, text: ' a  b\t\n\n.c \n\n' },
  { ...mail, subject: `Größe ${'x'.repeat(90)}`, cc: [{ name: '', address: 'c@d.example' }], text: 'ä' },
  { ...mail, replyTo: [{ name: 'R', address: 'r@acme.example' }], html: '<p>hi</p>', text: null },
]

/** Bytes that replace a byte: each bit flipped, and those with a meaning in a message. */
const replacements = (byte: number): number[] => [
  ...new Set([...Array.from({ length: 8 }, (_, bit) => byte ^ (1 << bit)), 9, 10, 13, 32]),
]

const isWhiteSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09

/**
 * Returns whether a changed message has the same canonical form. Then the signature is valid; otherwise it is not,
 * because another text cannot have the same hash.
 */
const sameAs = (original: string, signature: string): ((changed: string) => boolean) => {
  const { header, body } = coveredBy(signature, original)
  return (changed) => {
    const found = coveredBy(signature, changed)
    return found.body === body && found.header === header
  }
}

describe('signature of a changed message', () => {
  for (const [number, message] of small.entries()) {
    it(`is refused for each changed byte of the header and the body, message ${number + 1}`, async () => {
      const bytes = compose(message)
      const original = bytes.toString('latin1')
      const field = await sign(bytes)
      assert.ok(isValid(field, original, publicKey))
      const names = new Set(split(original).fields.flatMap((one) => one.slice(0, one.indexOf(':')).toLowerCase()))
      const signed = new Set((tagsOf(field)['h'] ?? '').toLowerCase().split(':'))
      assert.deepEqual(
        [...names].filter((name) => !signed.has(name)),
        [],
        'each field is signed',
      )
      const survivors: string[] = []
      const isSame = sameAs(original, field)
      const mutated = Buffer.from(bytes)
      for (let offset = 0; offset < bytes.length; offset++) {
        const byte = bytes[offset] as number
        for (const other of replacements(byte)) {
          if (other === byte) continue
          mutated[offset] = other
          const text = mutated.toString('latin1')
          if (isSame(text)) survivors.push(describeChange(original, offset, byte, other))
        }
        mutated[offset] = byte
      }
      assert.deepEqual(
        [...new Set(survivors)].filter((kind) => kind !== ''),
        [],
      )
    })
  }

  it('is refused for a random sample of changes by the signature itself', async () => {
    const bytes = compose(mail)
    const field = await sign(bytes)
    const isSame = sameAs(bytes.toString('latin1'), field)
    for (let offset = 0; offset < bytes.length; offset += 3) {
      const mutated = Buffer.from(bytes)
      mutated[offset] = (bytes[offset] as number) ^ 0x10
      if (isSame(mutated.toString('latin1'))) continue
      assert.ok(!isValid(field, mutated.toString('latin1'), publicKey), `byte ${offset}`)
    }
  })

  const names = [
    'From',
    'To',
    'Cc',
    'Subject',
    'Date',
    'Message-ID',
    'Reply-To',
    'MIME-Version',
    'Content-Type',
    'Content-Transfer-Encoding',
  ]
  for (const name of names) {
    it(`is refused if another ${name} is added before or after the existing ones`, async () => {
      const message = compose(mail).toString('latin1')
      const field = await sign(compose(mail))
      const end = message.indexOf('\r\n\r\n') + 2
      for (const added of [`${name}: x\r\n`, `${name.toLowerCase()} : x\r\n`, `${name}:\r\n`]) {
        assert.ok(!isValid(field, `${added}${message}`, publicKey))
        assert.ok(!isValid(field, `${message.slice(0, end)}${added}${message.slice(end)}`, publicKey))
      }
    })
  }

  it('is refused with a text added to the body', async () => {
    const field = await sign(compose(mail))
    assert.ok(!isValid(field, `${compose(mail).toString('latin1')}more\r\n`, publicKey))
    assert.ok(isValid(field, `${compose(mail).toString('latin1')}\r\n \r\n`, publicKey), 'empty lines do not count')
  })
})

/** Returns what kind of change leaves the canonical form as it is; empty: one that RFC 6376 §3.4 allows. */
const describeChange = (original: string, offset: number, byte: number, other: number): string => {
  if (isWhiteSpace(byte) && isWhiteSpace(other)) return ''
  const colon = original.indexOf(':', original.lastIndexOf('\r\n', offset) + 2)
  const inHeader = offset < original.indexOf('\r\n\r\n')
  const isCase = (byte ^ other) === 0x20 && /[A-Za-z]/.test(String.fromCharCode(byte))
  if (inHeader && offset < colon && isCase) return ''
  return `byte ${offset} (${byte} to ${other})`
}
