import assert from 'node:assert/strict'
import fc from 'fast-check'
import { simpleParser } from 'mailparser'
import MailComposer from 'nodemailer/lib/mail-composer'
import PostalMime, { type Email } from 'postal-mime'
import { inOneStep } from '../../test/support/inOneStep.ts'
import { composeSteps, type Message } from './compose.ts'

const compose = inOneStep(composeSteps)

const plain: Message = {
  id: 'em_01h455vb4pex5vsknk084sn02q',
  from: { name: 'Acme', address: 'mail@acme.example' },
  to: [{ name: 'Jane Doe', address: 'jane@example.com' }],
  cc: [],
  replyTo: [],
  subject: 'Your order 17',
  date: new Date('2026-11-22T09:08:07.123Z'),
  messageId: '<em_01h455vb4pex5vsknk084sn02q@acme.example>',
  headers: {},
  html: null,
  text: 'Hello Jane',
  attachments: [],
}

const bytesOf = (more: Partial<Message>): string => compose({ ...plain, ...more }).toString('latin1')
const parse = (more: Partial<Message>): Promise<Email> => PostalMime.parse(compose({ ...plain, ...more }))
/** The parser includes the line end before a boundary in the text, so final line ends are removed on both sides. */
const lines = (text: string | undefined): string => (text ?? '').replace(/\r\n?/g, '\n').replace(/\n+$/, '')

/** Asserts the rules that apply to every message. */
const assertSound = (bytes: string): void => {
  assert.doesNotMatch(bytes, /[^\t\r\n -~]/, '7-bit, no control characters')
  assert.doesNotMatch(bytes.replaceAll('\r\n', ''), /[\r\n]/, 'no bare CR or LF')
  assert.ok(bytes.endsWith('\r\n'))
  assert.ok(
    bytes.split('\r\n').every((line) => line.length <= 998),
    'no line over 998',
  )
  const [header = ''] = bytes.split('\r\n\r\n', 1)
  assert.doesNotMatch(header, /\r\n[ ]+(?:\r\n|$)/, 'no line of only white space')
  for (const line of header.split('\r\n')) if (line.includes('=?')) assert.ok(line.length <= 76, line)
}

describe('compose', () => {
  it('writes a text message in the usual form', () => {
    assert.equal(
      bytesOf({}),
      [
        'From: Acme <mail@acme.example>',
        'To: Jane Doe <jane@example.com>',
        'Subject: Your order 17',
        'Date: Sun, 22 Nov 2026 09:08:07 +0000',
        'Message-ID: <em_01h455vb4pex5vsknk084sn02q@acme.example>',
        'MIME-Version: 1.0',
        'Content-Type: text/plain; charset=utf-8',
        'Content-Transfer-Encoding: 7bit',
        '',
        'Hello Jane',
        '',
      ].join('\r\n'),
    )
  })

  it('always returns the same bytes', () => {
    const message = { ...plain, html: '<p>Grüße</p>', attachments: [pdf] }
    assert.deepEqual(compose(message), compose(message))
  })

  it('writes a multipart only around several parts', async () => {
    const logo = { ...pdf, filename: 'logo.png', contentType: 'image/png', contentId: 'logo@acme' }
    const shapes: [Partial<Message>, string[]][] = [
      [{ text: 'a' }, ['text/plain']],
      [{ text: null, html: 'a' }, ['text/html']],
      [{ html: 'a' }, ['multipart/alternative', 'text/plain', 'text/html']],
      [{ attachments: [pdf] }, ['multipart/mixed', 'text/plain', 'application/pdf']],
      [{ attachments: [logo] }, ['multipart/mixed', 'text/plain', 'image/png']],
      [{ text: null, html: 'a', attachments: [logo] }, ['multipart/related', 'text/html', 'image/png']],
      [
        { html: 'a', attachments: [pdf, logo] },
        [
          'multipart/mixed',
          'multipart/alternative',
          'text/plain',
          'multipart/related',
          'text/html',
          'image/png',
          'application/pdf',
        ],
      ],
    ]
    for (const [more, types] of shapes) {
      const found = [...bytesOf(more).matchAll(/^Content-Type: ([\w/]+)/gm)].map(([, type]) => type)
      assert.deepEqual(found, types)
    }
  })

  it('writes the Content-ID of inline files and the names of all', async () => {
    const logo = { ...pdf, filename: 'logo.png', contentType: 'image/png', contentId: 'logo@acme' }
    const { attachments } = await parse({ html: '<img src="cid:logo@acme">', attachments: [pdf, logo] })
    const seen = attachments.map(({ filename, disposition, contentId }) => [filename, disposition, contentId ?? null])
    assert.deepEqual(seen, [
      ['logo.png', 'inline', '<logo@acme>'],
      ['invoice.pdf', 'attachment', null],
    ])
  })

  it('derives a missing media type from the file name', async () => {
    const { attachments } = await parse({ attachments: [{ ...pdf, contentType: '' }] })
    assert.equal(attachments[0]?.mimeType, 'application/pdf')
  })

  it('uses a boundary that is not in the text', async () => {
    const text = `--=_${plain.id}_a\r\n\r\nforged\r\n--=_${plain.id}_a--`
    const parsed = await parse({ text, html: '<p>real</p>' })
    assert.equal(lines(parsed.text), lines(text))
    assert.equal(lines(parsed.html), '<p>real</p>')
  })

  it('throws for a part that was not checked', () => {
    const unchecked: Partial<Message>[] = [
      { from: { name: '', address: 'a@b\r\nBcc: c@d' } },
      { to: [{ name: '', address: 'a@b>, <c@d' }] },
      { headers: { 'X: y\r\nBcc': 'c@d' } },
      { messageId: '<a@b>\r\nBcc: c@d' },
      { id: 'em"\r\n' },
      { attachments: [{ ...pdf, contentId: 'a>\r\nX: y' }] },
      { attachments: [{ ...pdf, contentType: 'text/plain\r\nX: y' }] },
    ]
    for (const more of unchecked) assert.throws(() => compose({ ...plain, ...more }), /^Error: (not|the id cannot be)/)
  })
})

const pdf = {
  filename: 'invoice.pdf',
  contentType: 'application/pdf',
  contentId: null,
  content: Buffer.from('%PDF-1.7\n\0\xff', 'latin1'),
}

const encodings: [name: string, text: string, encoding: string][] = [
  ['ASCII', 'Hello\nJane\tDoe\n', '7bit'],
  ['an empty text', '', '7bit'],
  ['a line of 998', 'x'.repeat(998), '7bit'],
  ['lines of 998', `${'x'.repeat(998)}\n${'y'.repeat(998)}\n`, '7bit'],
  ['a line of 999', 'x'.repeat(999), 'quoted-printable'],
  ['a last line of 999', `hi\n${'x'.repeat(999)}`, 'quoted-printable'],
  ['German', 'Größe und Farbe nach Wunsch, auf dem Weg zu Ihnen', 'quoted-printable'],
  ['white space before line ends', 'é \nb\t\r\n c ', 'quoted-printable'],
  ['a NUL', 'a\0b', 'quoted-printable'],
  ['Japanese', '東京都千代田区', 'base64'],
  ['emoji', '🎉🎉🎉', 'base64'],
]

describe('a text part', () => {
  for (const [name, text, encoding] of encodings) {
    it(`is encoded as ${encoding} for ${name} and decoded to the same text`, async () => {
      const bytes = bytesOf({ text, html: '<p>x</p>' })
      assertSound(bytes)
      assert.equal(/plain; charset=utf-8\r\nContent-Transfer-Encoding: (.*)\r\n/.exec(bytes)?.[1], encoding)
      assert.equal(lines((await parse({ text, html: '<p>x</p>' })).text), lines(text))
    })
  }

  for (const text of ['a\n.\nMAIL FROM:<e@z>', '\r.\r', '\n.\r\n', '\r\n.\r\n', 'a\rb', 'é\r.\r\n.\né', '\n\r\n\r']) {
    it(`has no bare CR or LF for ${JSON.stringify(text)}`, async () => {
      assertSound(bytesOf({ text }))
      assertSound(bytesOf({ text: null, html: text }))
      assert.equal(lines((await parse({ text })).text), lines(text))
    })
  }
})

const headerTexts: string[] = [
  '',
  'hi',
  '=?utf-8?q?x=0d=0aBcc:e=40z?=',
  'see =?utf-8?Q?a b?= here',
  '=?',
  '?= =?x',
  'Größe',
  'Ein langer Betreff mit Größenangaben, der über mehrere Zeilen geht, weil er so viel zu sagen hat: Straße, Füße',
  '東京'.repeat(100),
  '👩‍👩‍👧'.repeat(20),
  'two  spaces   inside',
  ' leading and trailing ',
  `${'word '.repeat(199)}end`,
  'x'.repeat(998),
  `${'x'.repeat(500)} ${'y'.repeat(497)}`,
  `${' '.repeat(80)}x`,
  `a${' '.repeat(900)}b`,
  'a "quoted" \\ back (comment) <x@y>, z; w: v',
  'tab-free, plain = question? mark_underscore',
]

describe('a header text', () => {
  for (const text of headerTexts) {
    it(`is decoded to the same text: ${JSON.stringify(text.slice(0, 40))}`, async () => {
      const more = { subject: text, headers: { 'X-Note': text, [`X-${'Long-'.repeat(8)}Name`]: text } }
      assertSound(bytesOf(more))
      const parsed = await parse(more)
      assert.equal(parsed.subject ?? '', text)
    })
  }

  it('is never more than one field, even if it was not checked', async () => {
    const more = { subject: 'hi\r\nBcc: e@z', from: { name: 'a\r\nBcc: e@z', address: 'a@b.c' } }
    assertSound(bytesOf(more))
    assert.deepEqual((await parse(more)).bcc ?? [], [])
  })
})

const names: string[] = [
  'Jane Doe',
  'Doe, Jane',
  'Support <ceo@victim.com>',
  'O"Brien \\ Sons',
  'Dr. J. (x)',
  'two  spaces',
  "O'Neill",
  'Zoë',
  '東京'.repeat(60),
  '=?utf-8?q?x=0d=0aBcc:e=40z?=',
  'a, b@c <d@e>; friends: f@g;',
  '"',
]

describe('a display name', () => {
  for (const name of names) {
    it(`is decoded to the same name: ${JSON.stringify(name.slice(0, 40))}`, async () => {
      const more = {
        from: { name, address: 'a@mine.com' },
        to: [
          { name, address: 'b@y.com' },
          { name: '', address: 'c@y.com' },
        ],
        cc: [{ name, address: 'd@y.com' }],
        replyTo: [{ name, address: 'e@y.com' }],
      }
      assertSound(bytesOf(more))
      const parsed = await parse(more)
      assert.deepEqual(parsed.from, { name, address: 'a@mine.com' })
      assert.deepEqual(parsed.to, more.to)
      assert.deepEqual(parsed.cc, more.cc)
      assert.deepEqual(parsed.replyTo, more.replyTo)
    })
  }
})

describe('an address outside ASCII', () => {
  const [latin, chinese] = [
    { name: '', address: 'jörg@example.com' },
    { name: '李 雷', address: '用户@xn--fsq.jp' },
  ]
  const more = { to: [plain.to[0] ?? latin, chinese, latin], replyTo: [latin] }
  const fieldOf = (text: string, name: string) => new RegExp(`^${name}: ((?:.|\\r\\n )*)`, 'm').exec(text)?.[1] ?? ''

  it('is written in UTF-8 for a server with SMTPUTF8', async () => {
    const bytes = compose({ ...plain, ...more }, 'utf8')
    const text = bytes.toString('utf8')
    assert.match(fieldOf(text, 'To'), /<用户@xn--fsq\.jp>,\s+jörg@example\.com$/)
    assert.equal(fieldOf(text, 'Reply-To'), 'jörg@example.com')
    assert.deepEqual((await PostalMime.parse(bytes)).to, more.to)
    assert.deepEqual(bytes, compose({ ...plain, ...more }, 'utf8'))
  })

  it('is written as an empty group for other servers', async () => {
    assertSound(bytesOf(more))
    const [ascii, ...groups] = (await parse(more)).to ?? []
    assert.deepEqual(ascii, more.to[0])
    const names = ['李 雷 <用户@xn--fsq.jp>', 'jörg@example.com']
    assert.deepEqual(
      groups,
      names.map((name) => ({ name, group: [] })),
    )
  })

  it('does not change the form of other addresses', () => {
    assert.deepEqual(compose(plain, 'utf8'), compose(plain))
  })

  it('must have no character that ends an address', () => {
    for (const address of ['a\u0085é@b.example', 'é\u2028@b.example', 'é<@b.example', 'é@b\u00e9.example'])
      for (const form of ['ascii', 'utf8'] as const)
        assert.throws(() => compose({ ...plain, to: [{ name: '', address }] }, form), /not an address/)
  })
})

const filenames = [
  'x.pdf',
  'Rechnung Größe.pdf',
  'a"b.txt',
  'a; b=c.txt',
  "it's 100%.txt",
  'back\\slash.txt',
  `${'long '.repeat(40)}.txt`,
  `${'東京'.repeat(40)}.txt`,
  'x',
  // Several parsers removed the spaces at the ends of quoted segments.
  `${'word '.repeat(50)}.txt`,
  `${'semi; colon'.repeat(20)}.txt`,
  `${'a'.repeat(251)}.pdf`,
  `${'é'.repeat(251)}.pdf`,
  `${'👩‍👩‍👧'.repeat(30)}.pdf`,
  '😀'.repeat(255),
  "utf-8''x.pdf",
  `${'x"y\\'.repeat(60)}.txt`,
  'ab%41c.txt',
  'a  b.pdf',
  'a;b.pdf',
]

describe('a file name', () => {
  for (const filename of filenames) {
    it(`is decoded to the same name: ${JSON.stringify(filename.slice(0, 40))}`, async () => {
      const more = { attachments: [{ ...pdf, filename }] }
      assertSound(bytesOf(more))
      assert.equal((await parse(more)).attachments[0]?.filename, filename)
      assert.equal((await simpleParser(bytesOf(more))).attachments[0]?.filename, filename)
    })
  }
})

/** Text of all kinds except encoded words: nodemailer passes them on and `compose` encodes them. */
const anyText = (maxLength: number) =>
  fc
    .oneof(
      fc.string({ maxLength }),
      fc.string({ unit: 'grapheme', maxLength }),
      fc.string({ unit: fc.constantFrom('a', ' ', 'é', '東', ',', '"', '\\', '<', '@', '.', '_', '?'), maxLength }),
    )
    .map((text) => text.replaceAll('=?', '=!'))
const headerText = (maxLength: number) =>
  anyText(maxLength).map((text) =>
    text
      .replace(/[\p{Cc}\u2028\u2029]/gu, '')
      .replace(/ +/g, ' ')
      .trim(),
  )
const bodyText = fc
  .array(fc.oneof(anyText(120), fc.constantFrom('\n', '\r\n', '.', '\n.\n', 'x'.repeat(1_200))), { maxLength: 12 })
  .map((parts) => parts.join(''))
const mailbox = fc.record({
  name: headerText(60),
  address: fc.stringMatching(/^[a-z]{1,8}(\.[a-z]{1,4})?$/).map((local) => `${local}@example.com`),
})
const messages: fc.Arbitrary<Message> = fc.record({
  id: fc.constant(plain.id),
  from: mailbox,
  to: fc.array(mailbox, { minLength: 1, maxLength: 5 }),
  cc: fc.array(mailbox, { maxLength: 2 }),
  replyTo: fc.array(mailbox, { maxLength: 2 }),
  subject: headerText(300),
  date: fc.constant(plain.date),
  messageId: fc.constant(plain.messageId),
  headers: fc.dictionary(
    fc.stringMatching(/^[a-z]{1,30}$/).map((name) => `X-${name}`),
    headerText(200),
    { maxKeys: 3, noNullPrototype: true },
  ),
  html: fc.option(bodyText),
  text: bodyText,
  attachments: fc.array(
    fc.record({
      filename: headerText(60).map((name) => `${name.replaceAll('/', '_')}.bin`),
      contentType: fc.constantFrom('application/octet-stream', 'image/png', 'text/csv; charset=utf-8'),
      contentId: fc.option(fc.stringMatching(/^[a-z]{1,8}@[a-z]{1,8}$/)),
      content: fc.uint8Array({ maxLength: 300 }),
    }),
    { maxLength: 3 },
  ),
})

const byNodemailer = async (message: Message): Promise<Email> => {
  const bytes = await new MailComposer({
    ...message,
    to: [...message.to],
    cc: [...message.cc],
    replyTo: [...message.replyTo],
    html: message.html ?? undefined,
    text: message.text ?? undefined,
    attachments: message.attachments.map(({ filename, contentType, contentId, content }) => ({
      filename,
      contentType,
      content: Buffer.from(content),
      ...(contentId !== null && { cid: contentId }),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
  return PostalMime.parse(bytes)
}

const seen = ({ subject, from, to, cc, replyTo, html, text, attachments }: Email) => ({
  subject: subject ?? '',
  from,
  to,
  cc: cc ?? [],
  replyTo: replyTo ?? [],
  html: lines(html),
  text: lines(text),
  attachments: attachments
    .map(({ filename, mimeType, contentId, content }) => [
      filename,
      mimeType,
      contentId ?? null,
      Buffer.from(content as ArrayBuffer).toString('hex'),
    ])
    .sort(),
})

describe('compose compared with nodemailer’s composer', () => {
  it('is parsed to the same message by an independent parser', async () => {
    await fc.assert(
      fc.asyncProperty(messages, async (message) => {
        const bytes = compose(message)
        assertSound(bytes.toString('latin1'))
        assert.deepEqual(seen(await PostalMime.parse(bytes)), seen(await byNodemailer(message)))
      }),
      { numRuns: 200 },
    )
  })
})
