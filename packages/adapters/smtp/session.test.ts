import assert from 'node:assert/strict'
import net, { type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { RecipientResult } from '@postrider/domain/email/transmission.ts'
import { assertIterationsBelow } from '../../../test/support/cost.ts'
import { outgoing, sinkAndTransport } from '../../../test/support/sinkAndTransport.ts'
import { skip } from '../../../test/support/skip.ts'
import { sinkCertificate, sinkScript } from '../../../test/support/smtpSink.ts'
import type { SmtpConnection } from './connection.ts'
import { logIn } from './login.ts'
import { smtpTransport } from './smtpTransport.ts'

const login = { user: 'bob@sender.example', password: 'pa ss%wörd' }

const reasonOf = (results: readonly RecipientResult[]): string => {
  const [result] = results
  assert.equal(result?.kind, 'lost_before_dot', JSON.stringify(result))
  return result?.kind === 'lost_before_dot' ? result.reason : ''
}

describe('SMTP connection', () => {
  it('returns a readable reason and no host when the connection is refused', async () => {
    const server = net.createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const target = { host: '127.0.0.1', port, secure: false, requireTls: false, ehloName: 'client.example' }
    const logged: unknown[] = []
    const transport = smtpTransport({ ...target, log: { warn: (fields: unknown) => void logged.push(fields) } })
    const sent = await Promise.all(
      Array.from({ length: 100 }, () => transport.send(outgoing({ to: ['a@b.example', 'c@d.example'] }))),
    )
    for (const { host, steps, results } of sent) {
      assert.deepEqual([host, steps, results.length], ['', [], 2])
      assert.equal(reasonOf(results), `connection refused by 127.0.0.1:${port}`)
    }
    // Regression: the field used to be `emailId`, which a search of the logs by `email_id` did not find.
    const reason = `connection refused by 127.0.0.1:${port}`
    assert.deepEqual(logged.at(-1), { email_id: 'em_1', host: '127.0.0.1', port, reason })
    await transport.close()
  })

  it('returns a reason when the name does not exist', async () => {
    const target = { host: 'nowhere.invalid', port: 25, secure: false, requireTls: false, ehloName: 'client.example' }
    const transport = smtpTransport(target)
    const reason = reasonOf((await transport.send(outgoing())).results)
    assert.match(reason, /^(no such host: nowhere\.invalid:25|cannot resolve the name of nowhere\.invalid:25 now)$/)
    await transport.close()
  })

  for (const greeting of ['554 5.3.2 No service here', '521 5.3.2 No mail', '421 4.3.2 Too busy', '450 Later'])
    it(`treats the greeting ${greeting} as a refusal of the connection, not of the recipient`, async () => {
      await using system = await sinkAndTransport({ script: sinkScript([{ at: 'connect', reply: greeting }]) })
      const { host, steps, results } = await system.transport.send(outgoing())
      assert.match(reasonOf(results), RegExp(greeting))
      assert.equal(host, `127.0.0.1:${system.sink.port}`)
      assert.deepEqual(
        steps.map(({ name, reply }) => [name, reply]),
        [['greeting', greeting]],
      )
    })

  it('drops a server that does not speak SMTP', async () => {
    const script = sinkScript([{ at: 'connect', reply: 'HTTP/1.1 400 Bad Request' }])
    await using system = await sinkAndTransport({ script })
    assert.match(reasonOf((await system.transport.send(outgoing())).results), /no SMTP reply/)
  })

  it('sends HELO to a server that does not support EHLO', async () => {
    const script = sinkScript([{ at: 'EHLO', reply: '502 5.5.1 What?' }])
    await using system = await sinkAndTransport({ script })
    const { steps, results } = await system.transport.send(outgoing())
    assert.equal(results[0]?.kind, 'answered')
    assert.deepEqual(
      steps.slice(1, 4).map(({ command }) => command),
      ['EHLO client.example', 'HELO client.example', 'MAIL FROM:<bounce@sender.example>'],
    )
  })
})

describe('SMTP over TLS', () => {
  it('starts TLS when STARTTLS is offered, with any certificate', async () => {
    await using system = await sinkAndTransport({ startTls: true })
    const { results, steps } = await system.transport.send(outgoing())
    assert.equal(results[0]?.kind, 'answered')
    assert.equal(system.sink.messages[0]?.encrypted, true)
    assert.deepEqual(
      steps.slice(0, 4).map(({ name }) => name),
      ['greeting', 'EHLO', 'STARTTLS', 'EHLO'],
    )
  })

  it('sends nothing without STARTTLS when TLS is required', async () => {
    await using system = await sinkAndTransport({}, { requireTls: true })
    assert.match(reasonOf((await system.transport.send(outgoing())).results), /offers no STARTTLS, and TLS is required/)
    assert.equal(system.sink.counts().messages, 0)
  })

  it('sends nothing after a refused STARTTLS when TLS is required', async () => {
    const script = sinkScript([{ at: 'STARTTLS', reply: '454 4.7.0 Not now' }])
    await using system = await sinkAndTransport({ startTls: true, script }, { requireTls: true })
    assert.match(reasonOf((await system.transport.send(outgoing())).results), /refused STARTTLS: 454 4\.7\.0 Not now/)
  })

  it('sends nothing under an untrusted certificate when TLS is required', async () => {
    await using bad = await sinkAndTransport({ startTls: true }, { requireTls: true })
    assert.match(
      reasonOf((await bad.transport.send(outgoing())).results),
      /TLS with 127.* failed: DEPTH_ZERO_SELF_SIGNED_CERT/,
    )
    assert.equal(bad.sink.counts().messages, 0)
    await using good = await sinkAndTransport({ startTls: true }, { requireTls: true, tls: { ca: sinkCertificate() } })
    assert.equal((await good.transport.send(outgoing())).results[0]?.kind, 'answered')
    await using lax = await sinkAndTransport(
      { startTls: true },
      { requireTls: true, tls: { rejectUnauthorized: false } },
    )
    assert.equal((await lax.transport.send(outgoing())).results[0]?.kind, 'answered')
  })

  it('checks the certificate of implicit TLS', async () => {
    await using bad = await sinkAndTransport({ secure: true }, { secure: true })
    assert.match(reasonOf((await bad.transport.send(outgoing())).results), /DEPTH_ZERO_SELF_SIGNED_CERT/)
    await using good = await sinkAndTransport(
      { secure: true, login },
      { secure: true, tls: { ca: sinkCertificate() }, ...login },
    )
    assert.equal((await good.transport.send(outgoing())).results[0]?.kind, 'answered')
    assert.equal(good.sink.messages[0]?.encrypted, true)
  })

  it('sends without TLS when STARTTLS fails and TLS is not required', async () => {
    for (const reply of ['454 4.7.0 Not now', '220 Go ahead']) {
      let attempts = 0
      const script = ({ at }: { at: string }) => {
        if (at !== 'STARTTLS') return null
        attempts++
        return reply.startsWith('220') ? { reply, hangUp: 'close' as const } : reply
      }
      await using system = await sinkAndTransport({ startTls: true, script })
      assert.equal((await system.transport.send(outgoing())).results[0]?.kind, 'answered')
      assert.equal(system.sink.messages[0]?.encrypted, false)
      assert.equal(attempts, 1)
    }
  })

  it('drops the connection when plain text follows the 220 of STARTTLS', async () => {
    for (const injected of ['220 Go ahead\r\n250-sink.test\r\n250 PIPELINING', '220 Go ahead\r\n25']) {
      const script = sinkScript([{ at: 'STARTTLS', reply: injected }])
      await using system = await sinkAndTransport({ startTls: true, script })
      assert.match(
        reasonOf((await system.transport.send(outgoing())).results),
        /closed the session|plain text where TLS starts|no SMTP reply/,
      )
      assert.equal(system.sink.counts().messages, 0)
      assert.equal(system.sink.counts().connections, 1)
    }
  })
})

describe('SMTP login', () => {
  for (const mechanism of ['PLAIN', 'LOGIN', 'CRAM-MD5'])
    it(`succeeds by ${mechanism} and shows no secret in any step`, async () => {
      await using system = await sinkAndTransport(
        { login, mechanisms: [mechanism], startTls: true },
        { ...login, tls: { ca: sinkCertificate() } },
      )
      const { results, steps } = await system.transport.send(outgoing())
      assert.equal(results[0]?.kind, 'answered', JSON.stringify(results))
      assert.equal(system.sink.messages[0]?.user, login.user)
      holdsNoSecret(JSON.stringify(steps))
      assert.match(JSON.stringify(steps), /"AUTH [A-Z5-]+( \*\*\*)?"/)
    })

  it('returns a retryable result without a secret when it is refused', async () => {
    const echo = sinkScript([{ at: 'AUTH', reply: `535 5.7.8 no ${login.user} with pa ss%w\xc3\xb6rd here` }])
    const warned: unknown[] = []
    const log = { warn: (...line: unknown[]) => void warned.push(line) }
    await using system = await sinkAndTransport({ login, script: echo }, { ...login, log })
    const { results, steps } = await system.transport.send(outgoing())
    assert.match(reasonOf(results), /it refused the login: 535 5\.7\.8 no \*\*\* with \*\*\* here/)
    assert.equal(warned.length, 1)
    holdsNoSecret(JSON.stringify([results, steps, warned]))
  })

  // Regression: each secret was replaced only in the spelling in which it was sent.
  const plain = Buffer.from(`\0${login.user}\0${login.password}`).toString('base64')
  for (const quoted of [
    plain.toLowerCase(),
    plain.toUpperCase(),
    plain.slice(0, 24),
    `${plain.slice(0, 18)}...`,
    'PA SS%W\xc3\xb6RD',
    'pa ss%w\xf6rd',
    'pa ss%w\xc3\x83\xc2\xb6rd',
    'Bob@Sender.Example',
  ])
    it(`shows no secret of a refusal that quotes ${JSON.stringify(quoted)}`, async () => {
      const echo = sinkScript([{ at: 'AUTH', reply: `535 5.7.8 bad "AUTH PLAIN ${quoted}" here` }])
      const logged: unknown[] = []
      const log = { warn: (...line: unknown[]) => void logged.push(line) }
      await using system = await sinkAndTransport({ login, script: echo }, { ...login, log })
      const { results, steps } = await system.transport.send(outgoing())
      assert.match(reasonOf(results), /it refused the login: 535 5\.7\.8 bad "AUTH PLAIN \*\*\*(?:\.{3})?" here/)
      assert.doesNotMatch(JSON.stringify([results, steps, logged]), /pa ss|bob@|AGJvYkBz/i)
    })

  // Regression: the patterns of the secrets were made again for each line, 40 ms of CPU for a reply of the longest
  // kind.
  it('takes little CPU when a refusal has thousands of lines', async () => {
    const reply = { code: 535, lines: Array<string>(8_000).fill(''), at: 0 }
    const connection = { send: async () => ({ replies: [reply], lost: null }) } as unknown as SmtpConnection
    await assertIterationsBelow(12, () => logIn(connection, login, ['PLAIN'], [], 1_000))
  })

  it('fails when the server offers no known mechanism', async () => {
    await using system = await sinkAndTransport({ login, mechanisms: ['XOAUTH2'] }, login)
    assert.match(
      reasonOf((await system.transport.send(outgoing())).results),
      /no login mechanism we support \(XOAUTH2\)/,
    )
  })

  it('is sent unencrypted to loopback only', async function outside() {
    const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
    const outer = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)
    if (outer === undefined) skip(this, 'this machine has only a loopback address')
    const host = outer?.address ?? ''
    await using plain = await sinkAndTransport({ login, host }, { host, ...login })
    assert.match(reasonOf((await plain.transport.send(outgoing())).results), /a login is never sent unencrypted/)
    assert.ok(plain.sink.commands.every(({ line }) => !line.startsWith('AUTH')))
    await using secured = await sinkAndTransport(
      { login, host, startTls: true },
      { host, ...login, unverifiedTls: true },
    )
    assert.equal((await secured.transport.send(outgoing())).results[0]?.kind, 'answered')
  })
})

const holdsNoSecret = (text: string): void => {
  const { user, password } = login
  for (const secret of [user, password, `\0${user}\0${password}`]) {
    assert.ok(!text.includes(secret), text)
    assert.ok(!text.includes(Buffer.from(secret).toString('base64')), text)
  }
}
