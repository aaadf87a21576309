import assert from 'node:assert/strict'
import net, { type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { RecipientResult } from '@postrider/domain/email/transmission.ts'
import { outgoing, sinkAndTransport } from '../../../test/support/sinkAndTransport.ts'
import { sinkCertificate, sinkScript } from '../../../test/support/smtpSink.ts'
import { smtpTransport } from './smtpTransport.ts'

const login = { user: 'bob@sender.example', password: 'pa ss%wörd' }

const reasonOf = (results: readonly RecipientResult[]): string => {
  const [result] = results
  assert.equal(result?.kind, 'lost_before_dot', JSON.stringify(result))
  return result?.kind === 'lost_before_dot' ? result.reason : ''
}

describe('opening an SMTP connection', () => {
  it('refused by the machine: a reason people can read, and no host', async () => {
    const server = net.createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const target = { host: '127.0.0.1', port, secure: false, requireTls: false, ehloName: 'client.example' }
    const told: unknown[] = []
    const transport = smtpTransport({ ...target, log: { warn: (fields: unknown) => void told.push(fields) } })
    const sent = await Promise.all(
      Array.from({ length: 100 }, () => transport.send(outgoing({ to: ['a@b.example', 'c@d.example'] }))),
    )
    for (const { host, steps, results } of sent) {
      assert.deepEqual([host, steps, results.length], ['', [], 2])
      assert.equal(reasonOf(results), `connection refused by 127.0.0.1:${port}`)
    }
    // It was `emailId`, which whoever searched logs by `email_id` never found.
    const reason = `connection refused by 127.0.0.1:${port}`
    assert.deepEqual(told.at(-1), { email_id: 'em_1', host: '127.0.0.1', port, reason })
    await transport.close()
  })

  it('to a name that is none', async () => {
    const target = { host: 'nowhere.invalid', port: 25, secure: false, requireTls: false, ehloName: 'client.example' }
    const transport = smtpTransport(target)
    const reason = reasonOf((await transport.send(outgoing())).results)
    assert.match(
      reason,
      /^(no such host: nowhere\.invalid:25|the name of nowhere\.invalid:25 can't be resolved right now)$/,
    )
    await transport.close()
  })

  for (const greeting of ['554 5.3.2 No service here', '521 5.3.2 No mail', '421 4.3.2 Too busy', '450 Later'])
    it(`a greeting of ${greeting} refuses the connection, not the recipient`, async () => {
      await using system = await sinkAndTransport({ script: sinkScript([{ at: 'connect', reply: greeting }]) })
      const { host, steps, results } = await system.transport.send(outgoing())
      assert.match(reasonOf(results), RegExp(greeting))
      assert.equal(host, `127.0.0.1:${system.sink.port}`)
      assert.deepEqual(
        steps.map(({ name, reply }) => [name, reply]),
        [['greeting', greeting]],
      )
    })

  it('a server that is not one of SMTP is left', async () => {
    const script = sinkScript([{ at: 'connect', reply: 'HTTP/1.1 400 Bad Request' }])
    await using system = await sinkAndTransport({ script })
    assert.match(reasonOf((await system.transport.send(outgoing())).results), /no SMTP reply/)
  })

  it('HELO is said where EHLO is not known', async () => {
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

describe('TLS to an SMTP server', () => {
  it('is begun where STARTTLS is offered, whatever the certificate', async () => {
    await using system = await sinkAndTransport({ startTls: true })
    const { results, steps } = await system.transport.send(outgoing())
    assert.equal(results[0]?.kind, 'answered')
    assert.equal(system.sink.messages[0]?.encrypted, true)
    assert.deepEqual(
      steps.slice(0, 4).map(({ name }) => name),
      ['greeting', 'EHLO', 'STARTTLS', 'EHLO'],
    )
  })

  it('where required, wants STARTTLS offered', async () => {
    await using system = await sinkAndTransport({}, { requireTls: true })
    assert.match(reasonOf((await system.transport.send(outgoing())).results), /offers no STARTTLS, and TLS is required/)
    assert.equal(system.sink.counts().messages, 0)
  })

  it('where required, wants STARTTLS taken', async () => {
    const script = sinkScript([{ at: 'STARTTLS', reply: '454 4.7.0 Not now' }])
    await using system = await sinkAndTransport({ startTls: true, script }, { requireTls: true })
    assert.match(reasonOf((await system.transport.send(outgoing())).results), /refused STARTTLS: 454 4\.7\.0 Not now/)
  })

  it('where required, wants a certificate it can trust', async () => {
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

  it('from the first byte works the same way', async () => {
    await using bad = await sinkAndTransport({ secure: true }, { secure: true })
    assert.match(reasonOf((await bad.transport.send(outgoing())).results), /DEPTH_ZERO_SELF_SIGNED_CERT/)
    await using good = await sinkAndTransport(
      { secure: true, login },
      { secure: true, tls: { ca: sinkCertificate() }, ...login },
    )
    assert.equal((await good.transport.send(outgoing())).results[0]?.kind, 'answered')
    assert.equal(good.sink.messages[0]?.encrypted, true)
  })

  it('that is refused or fails is done without, where nobody asked for it', async () => {
    for (const reply of ['454 4.7.0 Not now', '220 Go ahead']) {
      let broken = 0
      const script = ({ at }: { at: string }) => {
        if (at !== 'STARTTLS') return null
        broken++
        return reply.startsWith('220') ? { reply, hangUp: 'close' as const } : reply
      }
      await using system = await sinkAndTransport({ startTls: true, script })
      assert.equal((await system.transport.send(outgoing())).results[0]?.kind, 'answered')
      assert.equal(system.sink.messages[0]?.encrypted, false)
      assert.equal(broken, 1)
    }
  })

  it('is refused where data in clear was put behind the 220', async () => {
    for (const injected of ['220 Go ahead\r\n250-sink.test\r\n250 PIPELINING', '220 Go ahead\r\n25']) {
      const script = sinkScript([{ at: 'STARTTLS', reply: injected }])
      await using system = await sinkAndTransport({ startTls: true, script })
      assert.match(
        reasonOf((await system.transport.send(outgoing())).results),
        /ended the conversation|in clear where TLS begins|no SMTP reply/,
      )
      assert.equal(system.sink.counts().messages, 0)
      assert.equal(system.sink.counts().connections, 1)
    }
  })
})

describe('a login', () => {
  for (const mechanism of ['PLAIN', 'LOGIN', 'CRAM-MD5'])
    it(`by ${mechanism} is let in, and no step holds a secret`, async () => {
      await using system = await sinkAndTransport({ login, mechanisms: [mechanism], startTls: true }, login)
      const { results, steps } = await system.transport.send(outgoing())
      assert.equal(results[0]?.kind, 'answered', JSON.stringify(results))
      assert.equal(system.sink.messages[0]?.user, login.user)
      holdsNoSecret(JSON.stringify(steps))
      assert.match(JSON.stringify(steps), /"AUTH [A-Z5-]+( \*\*\*)?"/)
    })

  it('that is wrong is a reason to come again, without a secret in it', async () => {
    const echo = sinkScript([{ at: 'AUTH', reply: `535 5.7.8 no ${login.user} with pa ss%w\xc3\xb6rd here` }])
    const warned: unknown[] = []
    const log = { warn: (...line: unknown[]) => void warned.push(line) }
    await using system = await sinkAndTransport({ login, script: echo }, { ...login, log })
    const { results, steps } = await system.transport.send(outgoing())
    assert.match(reasonOf(results), /it refused the login: 535 5\.7\.8 no \*\*\* with \*\*\* here/)
    assert.equal(warned.length, 1)
    holdsNoSecret(JSON.stringify([results, steps, warned]))
  })

  it('has no mechanism in common', async () => {
    await using system = await sinkAndTransport({ login, mechanisms: ['XOAUTH2'] }, login)
    assert.match(reasonOf((await system.transport.send(outgoing())).results), /no login we know \(XOAUTH2\)/)
  })

  it('goes in clear to loopback alone', async function outside() {
    const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
    const outer = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)
    if (outer === undefined) {
      console.log('      skipped: this machine has no address but loopback')
      this.skip()
    }
    const host = outer?.address ?? ''
    await using plain = await sinkAndTransport({ login, host }, { host, ...login })
    assert.match(reasonOf((await plain.transport.send(outgoing())).results), /a login never goes in clear/)
    assert.ok(plain.sink.commands.every(({ line }) => !line.startsWith('AUTH')))
    await using secured = await sinkAndTransport({ login, host, startTls: true }, { host, ...login })
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
