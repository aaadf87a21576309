import assert from 'node:assert/strict'
import { assertSince } from '../support/assertSince.ts'
import { fresh, rawMail, type Tenant } from '../support/client.ts'
import { assertSmtpSafe, headerValues, partEncodings } from '../support/receivedMessage.ts'
import { useSystem } from '../support/suite.ts'

describe('sends without a template', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  const deliver = async (over: Record<string, unknown>) => {
    const to = fresh()
    const response = await tenant.send(rawMail({ to: [to], ...over }))
    assert.equal(response.status, 202, response.text)
    const received = await system().receiver.waitFor(to)
    assertSmtpSafe(received.raw)
    return { to, record: response.body, received, mail: received.mail }
  }

  it('returns the record of an email and its Location, and delivers the email', async () => {
    const to = fresh()
    const response = await tenant.send(rawMail({ to: [to], subject: 'First light', text: 'One line.' }))
    assert.equal(response.status, 202)
    const record = response.body
    assert.equal(record.object, 'email')
    assert.match(record.id, /^em_[0-9a-z]{26}$/)
    assert.equal(response.headers['location'], `/api/v1/emails/${record.id}`)
    assert.match(record.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(record.to, [to])
    assert.deepEqual(
      [record.mode, record.subject, record.template_id, record.domain_id],
      ['live', 'First light', null, null],
    )
    assert.deepEqual([record.category, record.scheduled_at], ['transactional', null])
    assert.equal(record.recipients.length, 1)
    const { mail, from } = await system().receiver.waitFor(to)
    assert.equal(mail.subject, 'First light')
    assert.equal(mail.text?.trim(), 'One line.')
    assert.equal(mail.html, undefined)
    assert.notEqual(from, '')
    const delivered = await tenant.until(record.id, (email) => email.status === 'delivered')
    const [recipient] = delivered.recipients
    assert.deepEqual(
      [recipient?.address, recipient?.kind, recipient?.status, recipient?.next_at],
      [to, 'to', 'delivered', null],
    )
    assert.equal(mail.messageId, delivered.message_id)
    assert.ok(delivered.events?.some((event) => event.type === 'email.delivered'))
  })

  it('adds a text part made from the HTML', async () => {
    const { mail, received } = await deliver({ text: undefined, html: '<h1>Big news</h1><p>Read <b>this</b>.</p>' })
    assert.match(mail.html ?? '', /<b>this<\/b>/)
    assert.match(mail.text ?? '', /big news/i)
    assert.match(mail.text ?? '', /Read this\./)
    assert.doesNotMatch(mail.text ?? '', /<b>/)
    assert.match(received.raw.toString('latin1'), /multipart\/alternative/)
  })

  it('sends HTML and text as alternatives, with the text first', async () => {
    const { mail, received } = await deliver({ text: 'The plain one.', html: '<p>The rich one.</p>' })
    assert.equal(mail.text?.trim(), 'The plain one.')
    assert.match(mail.html ?? '', /The rich one\./)
    const raw = received.raw.toString('latin1')
    assert.ok(raw.indexOf('text/plain') < raw.indexOf('text/html'))
  })

  it('sends ASCII as 7bit, long lines and mostly ASCII text as quoted-printable, other scripts as base64', async () => {
    const ascii = await deliver({ text: 'Only ASCII.\nTwo lines.' })
    assert.equal(partEncodings(ascii.received.raw)['text/plain'], '7bit')
    const accents = await deliver({ text: 'Un café à Zürich, s’il vous plaît. All else is plain.' })
    assert.equal(partEncodings(accents.received.raw)['text/plain'], 'quoted-printable')
    assert.equal(accents.mail.text?.trim(), 'Un café à Zürich, s’il vous plaît. All else is plain.')
    const long = await deliver({ text: `${'x'.repeat(5_000)} end` })
    assert.equal(partEncodings(long.received.raw)['text/plain'], 'quoted-printable')
    assert.equal(long.mail.text?.trim(), `${'x'.repeat(5_000)} end`)
    const japanese = 'こんにちは、世界。元気ですか。'.repeat(20)
    const other = await deliver({ text: japanese })
    assert.equal(partEncodings(other.received.raw)['text/plain'], 'base64')
    assert.equal(other.mail.text?.trim(), japanese)
  })

  it('delivers a subject and names that are not ASCII unchanged', async () => {
    const subject = 'Überraschung für 花子 🎉 – a subject that is long enough to need more than one encoded word, yes'
    const to = fresh()
    const names = { to: [`Łukasz 山田 <${to}>`], reply_to: 'Ünal <answers@receiver.example>' }
    assert.equal((await tenant.send(rawMail({ ...names, subject }))).status, 202)
    const { mail, raw } = await system().receiver.waitFor(to)
    assertSmtpSafe(raw)
    assert.equal(mail.subject, subject)
    assert.deepEqual(mail.to, [{ address: to, name: 'Łukasz 山田' }])
    assert.deepEqual(mail.replyTo, [{ address: 'answers@receiver.example', name: 'Ünal' }])
  })

  it('folds a subject of 998 characters so that it unfolds unchanged', async () => {
    const subject = 'word '.repeat(199).concat('end')
    const { mail } = await deliver({ subject })
    assert.equal(mail.subject, subject)
  })

  it('delivers text of 2 MB completely', async () => {
    const text = 'A line of text with an ümlaut in it.\n'.repeat(50_000)
    const { mail } = await deliver({ text })
    assert.equal(mail.text?.replaceAll('\r\n', '\n').trimEnd(), text.trimEnd())
  })

  it('delivers LF, CRLF and CR as line ends', async () => {
    const { mail } = await deliver({ text: 'one\ntwo\r\nthree\rfour' })
    assert.equal(mail.text?.replaceAll('\r\n', '\n').trimEnd(), 'one\ntwo\nthree\nfour')
  })

  it('delivers lines that begin with a dot, and lines that are a dot', async () => {
    const text = '.hidden\n.\n..\n...three\nend'
    const { mail } = await deliver({ text })
    assert.equal(mail.text?.replaceAll('\r\n', '\n').trimEnd(), text)
  })

  it('every message has the required header fields once', async () => {
    const began = Date.now()
    const { mail } = await deliver({ html: '<p>x</p>' })
    for (const name of ['from', 'to', 'subject', 'date', 'message-id', 'mime-version', 'content-type'])
      assert.equal(headerValues(mail, name).length, 1, name)
    assertSince(mail.date, began, 0, 60_000)
  })

  it('returns the raw message exactly as it was sent', async () => {
    const { record, received } = await deliver({ html: '<p>x</p>' })
    const raw = await tenant.api.call({ path: `/api/v1/emails/${record.id}/raw` })
    assert.equal(raw.status, 200)
    assert.match(raw.headers['content-type'] ?? '', /^message\/rfc822/)
    assert.equal(raw.text, received.raw.toString('latin1'))
  })
})
