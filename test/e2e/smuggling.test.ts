import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { fresh, rawMail, type Tenant } from '../support/client.ts'
import { type PrivatePostfix, startPostfix, whyNoPostfix } from '../support/privatePostfix.ts'
import { assertSmtpSafe } from '../support/receivedMessage.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { skip } from '../support/skip.ts'
import { type SmtpSink, smtpSink } from '../support/smtpSink.ts'
import { needsOwnProcess, ownSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

type Own = Awaited<ReturnType<typeof ownSystem>>

const envelope = 'MAIL FROM:<evil@z.example>\r\nRCPT TO:<victim@z.example>\r\nDATA\r\nSubject: smuggled\r\n\r\nsmuggled'

/** Ends of data as some server or other takes them, each followed by a second message (INVARIANTS, case 16). */
const ends = [
  '\n.\n',
  '\r.\r',
  '\n.\r\n',
  '\r\n.\r\n',
  '\r\n.\n',
  '\r\n.\r',
  '\n.\r',
  '\r.\r\n',
  '\r\n\0.\r\n',
  '\r\r\n.\r\r\n',
].map((end) => ({ name: JSON.stringify(end), body: `first${end}${envelope}${end}last` }))

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** The same bytes wherever bytes of the sender's choice go into a message. */
const places: Record<string, (body: string) => Record<string, unknown>> = {
  text: (text) => ({ text }),
  html: (html) => ({ html, text: undefined }),
  attachment: (body) => ({ attachments: [{ filename: 'a.txt', content: base64(body), content_type: 'text/plain' }] }),
}

/** Speaks SMTP as a careless sender would: the body goes out as it is. */
const sendCarelessly = async (port: number, to: string, body: string): Promise<void> => {
  const socket = net.connect(port, '127.0.0.1')
  let heard = ''
  socket.on('data', (data: Buffer) => {
    heard += data.toString('latin1')
  })
  const say = async (text: string, reply: RegExp): Promise<void> => {
    heard = ''
    socket.write(text)
    await until(`a reply to ${JSON.stringify(text.slice(0, 30))}`, () => (reply.test(heard) ? true : undefined))
  }
  await until('a greeting', () => (/^220 /m.test(heard) ? true : undefined))
  await say('EHLO careless.example\r\n', /^250 /m)
  await say('MAIL FROM:<a@careless.example>\r\n', /^250 /m)
  await say(`RCPT TO:<${to}>\r\n`, /^250 /m)
  await say('DATA\r\n', /^354 /m)
  await say(`Subject: careless\r\n\r\n${body}\r\n.\r\n`, /^250 /m)
  socket.end('QUIT\r\n')
  await once(socket, 'close')
}

const careless = `first\n.\n${envelope}`

describe('smuggling (INVARIANTS 16)', () => {
  needsOwnProcess()
  let sink: SmtpSink
  let own: Own
  let tenant: Tenant
  before(async function () {
    this.timeout(30_000)
    sink = await smtpSink({ lenient: true })
    own = await ownSystem({ POSTRIDER_ROUTE: `smtp://127.0.0.1:${sink.port}` })
    tenant = await own.client.tenant()
  })
  after(async () => {
    await own?.[Symbol.asyncDispose]()
    await sink?.close()
  })

  it('the sink of these tests is one that a careless sender smuggles to', async () => {
    await using open = await smtpSink({ lenient: true })
    await sendCarelessly(open.port, 'first@z.example', careless)
    await open.taken(2)
    assert.deepEqual(
      open.messages.map((one) => one.to),
      [['first@z.example'], ['victim@z.example']],
    )
  })

  for (const [place, mail] of Object.entries(places))
    for (const { name, body } of ends)
      it(`${name} in ${place} stays inside of one message, even for a server that takes any line end`, async () => {
        const to = fresh()
        const answer = await tenant.send(rawMail({ to: [to], ...mail(body) }))
        assert.equal(answer.status, 202, answer.text)
        await tenant.until(answer.body.id, (email) => email.status === 'delivered')
        const mine = sink.messages.filter((one) => one.to.includes(to))
        assert.equal(mine.length, 1)
        assert.ok(mine[0]?.raw.includes(answer.body.message_id))
        assertSmtpSafe(mine[0]?.raw ?? Buffer.alloc(0))
        assert.deepEqual(
          sink.messages.filter((one) => one.to.some((each) => each.includes('victim'))),
          [],
        )
        assert.equal(sink.messages.filter((one) => one.from.includes('evil')).length, 0)
      })
})

describe('smuggling through Postfix (INVARIANTS 16)', () => {
  needsOwnProcess()
  let receiver: Receiver
  let postfix: PrivatePostfix
  let own: Own

  before(async function () {
    this.timeout(40_000)
    const missing = whyNoPostfix()
    if (missing !== null) skip(this, missing)
    receiver = await startReceiver()
    postfix = await startPostfix(receiver.port)
    own = await ownSystem({ POSTRIDER_ROUTE: `smtp://127.0.0.1:${postfix.port}` })
  })
  after(async () => {
    await own?.[Symbol.asyncDispose]()
    await postfix?.[Symbol.asyncDispose]()
    await receiver?.close()
  })

  it('this Postfix is one that a careless sender smuggles to', async () => {
    await sendCarelessly(postfix.port, 'first@z.example', careless)
    const smuggled = await receiver.waitFor('victim@z.example')
    assert.equal(smuggled.from, 'evil@z.example')
    await receiver.waitFor('first@z.example')
    receiver.received.length = 0
  })

  it('every kind of end of data arrives as one message behind a Postfix that takes bare line feeds', async () => {
    const tenant = await own.client.tenant()
    const sent = []
    for (const mail of Object.values(places))
      for (const { body } of ends) {
        const to = fresh()
        const answer = await tenant.send(rawMail({ to: [to], ...mail(body) }))
        assert.equal(answer.status, 202, answer.text)
        sent.push(to)
      }
    for (const to of sent)
      await receiver
        .waitFor(to)
        .catch((reason: Error) => assert.fail(`${reason.message}\n${postfix.log().slice(-2_000)}`))
    const barrier = fresh()
    await tenant.send(rawMail({ to: [barrier] }))
    await until('the barrier', () => receiver.to(barrier)[0])
    assert.equal(receiver.received.length, sent.length + 1)
    for (const { to, from, raw } of receiver.received) {
      assert.ok(!to.some((one) => one.includes('victim')) && !from.includes('evil'))
      assert.ok(!/(?<!\r)\n|\r(?!\n)/.test(raw.toString('latin1')))
    }
  })
})
