import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import process from 'node:process'
import { outgoing, sinkAndTransport } from '../../../test/support/sinkAndTransport.ts'
import { skip } from '../../../test/support/skip.ts'
import { type SinkOptions, sinkAuthority, sinkCertificate, sinkScript } from '../../../test/support/smtpSink.ts'
import type { SmtpOptions } from './smtpTransport.ts'

const login = { user: 'bob@sender.example', password: 'a secret of the operator' }
const ca = `${sinkCertificate()}\n${sinkAuthority()}`

type Case = {
  name: string
  /** Where the server listens; default: both. */
  where?: 'loopback' | 'outside'
  sink?: SinkOptions
  route?: Partial<SmtpOptions>
  /** What the reason matches; null: the mail and the login arrive. */
  refused: RegExp | null
}

const advice = /NODE_EXTRA_CA_CERTS/
const refuseStartTls = (reply: string): Partial<SinkOptions> => ({ script: sinkScript([{ at: 'STARTTLS', reply }]) })

// An outer address is in no certificate, so these cases use loopback, where the certificates are valid.
const certificates: Case[] = [
  { name: 'a self-signed certificate', refused: advice },
  { name: 'an unknown authority', sink: { certificate: 'signed' }, refused: advice },
  { name: 'an expired certificate', sink: { certificate: 'expired' }, route: { tls: { ca } }, refused: /has expired/ },
  {
    name: 'a certificate that is not valid yet',
    sink: { certificate: 'notYetValid' },
    route: { tls: { ca } },
    refused: /not valid yet/,
  },
  {
    name: 'a certificate for another host',
    sink: { certificate: 'otherHost' },
    route: { tls: { ca } },
    refused: /for another host name/,
  },
  {
    name: 'a certificate for clients',
    sink: { certificate: 'clientOnly' },
    route: { tls: { ca } },
    refused: /not for servers/,
  },
  { name: 'a trusted certificate', sink: { certificate: 'signed' }, route: { tls: { ca } }, refused: null },
  { name: 'a self-signed certificate that is trusted', route: { tls: { ca } }, refused: null },
  { name: 'a self-signed certificate with tls=unverified', route: { unverifiedTls: true }, refused: null },
  {
    name: 'an expired certificate with tls=unverified',
    sink: { certificate: 'expired' },
    route: { unverifiedTls: true },
    refused: null,
  },
  {
    name: 'a self-signed certificate with tls=required',
    route: { requireTls: true },
    refused: advice,
  },
]

const withoutTls: Case[] = [
  { name: 'no STARTTLS', where: 'outside', refused: /a login is never sent unencrypted/ },
  { name: 'no STARTTLS on this machine', where: 'loopback', refused: null },
  { name: 'no STARTTLS with tls=unverified', route: { unverifiedTls: true }, refused: /TLS is required/ },
  { name: 'no STARTTLS with tls=required', route: { requireTls: true }, refused: /TLS is required/ },
  {
    name: 'a refused STARTTLS',
    sink: { startTls: true, ...refuseStartTls('454 4.7.0 TLS not available') },
    refused: /it refused STARTTLS: 454/,
  },
  {
    name: 'an unknown STARTTLS',
    sink: { startTls: true, ...refuseStartTls('502 5.5.1 Unknown') },
    refused: /it refused STARTTLS: 502/,
  },
  {
    name: 'a refused STARTTLS with tls=unverified',
    sink: { startTls: true, ...refuseStartTls('454 4.7.0 TLS not available') },
    route: { unverifiedTls: true },
    refused: /it refused STARTTLS: 454/,
  },
  {
    name: 'a connection that ends where TLS starts',
    sink: { startTls: true, script: ({ at }) => (at === 'STARTTLS' ? { reply: '220 Go', hangUp: 'close' } : null) },
    refused: /TLS with|closed/,
  },
  {
    name: 'an EHLO reply without STARTTLS, followed by plain text',
    sink: { startTls: true, ...refuseStartTls('220 Go ahead\r\n250 AUTH PLAIN') },
    refused: /closed the session|plain text where TLS starts/,
  },
]

const outerAddress = (): string | undefined =>
  Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

/**
 * Sends one email with a login.
 * @returns the reason, or null when it was delivered, and whether a login was attempted
 */
const send = async (host: string, sink: SinkOptions, route: Partial<SmtpOptions>) => {
  await using system = await sinkAndTransport({ login, host, ...sink }, { host, ...login, ...route })
  const { results } = await system.transport.send(outgoing())
  const [result] = results
  const { commands, messages } = system.sink
  const triedLogin = commands.some(({ line }) => /^AUTH/i.test(line) || line.includes(login.password))
  const reason = result?.kind === 'lost_before_dot' ? result.reason : null
  return { kind: result?.kind, reason, triedLogin, user: messages[0]?.user ?? null }
}

// Regression: a login used to be sent under any certificate, so a host between us and the server could read it.
describe('SMTP login and TLS', () => {
  const check = async ({ refused }: Case, sent: Awaited<ReturnType<typeof send>>): Promise<void> => {
    if (refused === null) {
      assert.deepEqual([sent.kind, sent.user], ['answered', login.user], sent.reason ?? '')
      return
    }
    assert.equal(sent.kind, 'lost_before_dot')
    assert.match(sent.reason ?? '', refused)
    assert.equal(sent.triedLogin, false, 'the login was sent')
  }

  for (const tls of ['STARTTLS', 'smtps'] as const)
    for (const one of certificates)
      it(`${one.refused === null ? 'is sent' : 'is not sent'} under ${one.name} (${tls})`, async () => {
        const secure = tls === 'smtps'
        await check(one, await send('127.0.0.1', { secure, startTls: !secure, ...one.sink }, { secure, ...one.route }))
      })

  for (const where of ['loopback', 'outside'] as const)
    for (const one of withoutTls.filter((given) => (given.where ?? where) === where))
      it(`${one.refused === null ? 'is sent' : 'is not sent'} after ${one.name} (${where})`, async function () {
        const host = where === 'loopback' ? '127.0.0.1' : outerAddress()
        if (host === undefined) skip(this, 'this machine has only a loopback address')
        await check(one, await send(host ?? '', one.sink ?? {}, one.route ?? {}))
      })

  it('is not sent under an untrusted certificate with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    try {
      await check({ name: '', refused: advice }, await send('127.0.0.1', { startTls: true }, {}))
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    }
  })
})
