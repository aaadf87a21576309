import assert from 'node:assert/strict'
import net from 'node:net'
import { fresh, rawMail, type Tenant } from '../support/client.ts'
import { closed } from '../support/closed.ts'
import { type OwnService, ownService } from '../support/ownService.ts'
import { type PrivatePostfix, startPostfix, whyNoPostfix } from '../support/privatePostfix.ts'
import { assertSmtpSafe } from '../support/receivedMessage.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { skip } from '../support/skip.ts'
import { type SmtpSink, smtpSink } from '../support/smtpSink.ts'
import { needsOwnProcess } from '../support/suite.ts'
import { until } from '../support/until.ts'

const envelope = 'MAIL FROM:<evil@z.example>\r\nRCPT TO:<victim@z.example>\r\nDATA\r\nSubject: smuggled\r\n\r\nsmuggled'

/** Texts that some servers accept as the end of data, each followed by a second message. */
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

/** The parts of a message that contain bytes of the sender's choice. */
const positions: Record<string, (body: string) => Record<string, unknown>> = {
  text: (text) => ({ text }),
  html: (html) => ({ html, text: undefined }),
  attachment: (body) => ({ attachments: [{ filename: 'a.txt', content: base64(body), content_type: 'text/plain' }] }),
}

/** Sends a message as a vulnerable client does: the body is sent unchanged. */
const sendUnchanged = async (port: number, to: string, body: string): Promise<void> => {
  const socket = net.connect(port, '127.0.0.1')
  const ended = closed(socket)
  let received = ''
  socket.on('data', (data: Buffer) => {
    received += data.toString('latin1')
  })
  const command = async (text: string, reply: RegExp): Promise<void> => {
    received = ''
    socket.write(text)
    await until(`the reply to ${JSON.stringify(text.slice(0, 30))}`, () => (reply.test(received) ? true : undefined))
  }
  await until('the greeting', () => (/^220 /m.test(received) ? true : undefined))
  await command('EHLO vulnerable.example\r\n', /^250 /m)
  await command('MAIL FROM:<a@vulnerable.example>\r\n', /^250 /m)
  await command(`RCPT TO:<${to}>\r\n`, /^250 /m)
  await command('DATA\r\n', /^354 /m)
  await command(`Subject: first\r\n\r\n${body}\r\n.\r\n`, /^250 /m)
  socket.end('QUIT\r\n')
  await ended
}

const smugglingBody = `first\n.\n${envelope}`

describe('SMTP smuggling', () => {
  needsOwnProcess()
  let sink: SmtpSink
  let own: OwnService
  let tenant: Tenant
  before(async () => {
    sink = await smtpSink({ lenient: true })
    own = await ownService({ POSTRIDER_ROUTE: `smtp://127.0.0.1:${sink.port}` })
    tenant = await own.client.tenant()
  })
  after(async () => {
    await own?.[Symbol.asyncDispose]()
    await sink?.close()
  })

  it('16: the sink of these tests accepts a smuggled message of a vulnerable client', async () => {
    await using open = await smtpSink({ lenient: true })
    await sendUnchanged(open.port, 'first@z.example', smugglingBody)
    await open.taken(2)
    assert.deepEqual(
      open.messages.map((one) => one.to),
      [['first@z.example'], ['victim@z.example']],
    )
  })

  for (const [position, mail] of Object.entries(positions))
    for (const { name, body } of ends)
      it(`16: sends ${name} in ${position} as one message to a server that accepts any line end`, async () => {
        const to = fresh()
        const response = await tenant.send(rawMail({ to: [to], ...mail(body) }))
        assert.equal(response.status, 202, response.text)
        await tenant.until(response.body.id, (email) => email.status === 'delivered')
        const arrived = sink.messages.filter((one) => one.to.includes(to))
        assert.equal(arrived.length, 1)
        assert.ok(arrived[0]?.raw.includes(response.body.message_id))
        assertSmtpSafe(arrived[0]?.raw ?? Buffer.alloc(0))
        assert.deepEqual(
          sink.messages.filter((one) => one.to.some((each) => each.includes('victim'))),
          [],
        )
        assert.equal(sink.messages.filter((one) => one.from.includes('evil')).length, 0)
      })
})

describe('SMTP smuggling with Postfix', () => {
  needsOwnProcess()
  let receiver: Receiver
  let postfix: PrivatePostfix
  let own: OwnService

  before(async function () {
    const missing = whyNoPostfix()
    if (missing !== null) skip(this, missing)
    receiver = await startReceiver()
    postfix = await startPostfix(receiver.port)
    own = await ownService({ POSTRIDER_ROUTE: `smtp://127.0.0.1:${postfix.port}` })
  })
  after(async () => {
    await own?.[Symbol.asyncDispose]()
    await postfix?.[Symbol.asyncDispose]()
    await receiver?.close()
  })

  it('16: the Postfix of these tests accepts a smuggled message of a vulnerable client', async () => {
    await sendUnchanged(postfix.port, 'first@z.example', smugglingBody)
    const smuggled = await receiver.waitFor('victim@z.example')
    assert.equal(smuggled.from, 'evil@z.example')
    await receiver.waitFor('first@z.example')
    receiver.received.length = 0
  })

  it('16: sends every end of data as one message to a Postfix that accepts bare line feeds', async () => {
    const tenant = await own.client.tenant()
    const sent = []
    for (const mail of Object.values(positions))
      for (const { body } of ends) {
        const to = fresh()
        const response = await tenant.send(rawMail({ to: [to], ...mail(body) }))
        assert.equal(response.status, 202, response.text)
        sent.push(to)
      }
    for (const to of sent)
      await receiver
        .waitFor(to)
        .catch((reason: Error) => assert.fail(`${reason.message}\n${postfix.log().slice(-2_000)}`))
    const barrier = fresh()
    await tenant.send(rawMail({ to: [barrier] }))
    await until('the last email', () => receiver.to(barrier)[0])
    // The sign-up sends one system mail, which can arrive at any time.
    const ownMail = receiver.received.filter(({ to }) => !to.includes(tenant.email))
    assert.equal(ownMail.length, sent.length + 1)
    for (const { to, from, raw } of receiver.received) {
      assert.ok(!to.some((one) => one.includes('victim')) && !from.includes('evil'))
      assert.ok(!/(?<!\r)\n|\r(?!\n)/.test(raw.toString('latin1')))
    }
  })
})
