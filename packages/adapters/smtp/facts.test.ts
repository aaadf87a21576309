import assert from 'node:assert/strict'
import type { Transmission } from '@postrider/domain/email/transmission.ts'
import { outgoing, sinkAndTransport } from '../../../test/support/sinkAndTransport.ts'
import { sinkAuthority, sinkCertificate, sinkScript } from '../../../test/support/smtpSink.ts'

const ca = `${sinkCertificate()}\n${sinkAuthority()}`
const phasesOf = ({ phases = {} }: Transmission): string[] => Object.keys(phases).filter((phase) => phase !== 'wait')
const opening = ['connect', 'session']
const transaction = ['envelope', 'body', 'gate', 'final_dot']

describe('facts of an SMTP transmission', () => {
  it('name the address, and whether the connection was opened for the message', async () => {
    await using system = await sinkAndTransport({}, { connections: 1 })
    const [first, second] = [await system.transport.send(outgoing()), await system.transport.send(outgoing())]
    assert.deepEqual(first.connection, { address: '127.0.0.1', isReused: false, tls: null })
    assert.deepEqual(second.connection, { address: '127.0.0.1', isReused: true, tls: null })
    assert.deepEqual([phasesOf(first), phasesOf(second)], [[...opening, ...transaction], transaction])
  })

  it('have each duration in milliseconds, and none of a phase that did not happen', async () => {
    const script = sinkScript([{ at: 'RCPT', reply: '550 5.1.1 No such user' }])
    await using system = await sinkAndTransport({ script })
    const sent = await system.transport.send(outgoing())
    assert.deepEqual(phasesOf(sent), [...opening, 'envelope'])
    assert.ok(Object.values(sent.phases ?? {}).every((ms) => ms >= 0))
  })

  for (const [name, sink, route, problem] of [
    ['a trusted certificate', { certificate: 'signed' }, { tls: { ca } }, null],
    ['an unknown certificate', {}, {}, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['a certificate for another host', { certificate: 'otherHost' }, { tls: { ca } }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ] as const)
    it(`have the version, the cipher and the verification of STARTTLS with ${name}`, async () => {
      await using system = await sinkAndTransport({ startTls: true, ...sink }, route)
      const sent = await system.transport.send(outgoing())
      assert.deepEqual(sent.connection?.tls, { version: 'TLSv1.3', cipher: sent.connection?.tls?.cipher, problem })
      assert.match(sent.connection?.tls?.cipher ?? '', /^TLS_/)
      assert.deepEqual(phasesOf(sent), ['connect', 'tls', 'session', ...transaction])
    })

  it('name why STARTTLS failed when the message was sent without it', async () => {
    const script = ({ at }: { at: string }) =>
      at === 'STARTTLS' ? { reply: '220 Go ahead', hangUp: 'close' as const } : null
    await using system = await sinkAndTransport({ startTls: true, script })
    const { connection, results } = await system.transport.send(outgoing())
    assert.equal(results[0]?.kind, 'answered')
    assert.equal(connection?.tls, null)
    assert.match(connection?.tlsFailure ?? '', /^TLS with |closed/)
  })

  it('are absent where no server was connected', async () => {
    await using system = await sinkAndTransport()
    await system.sink.close()
    const sent = await system.transport.send(outgoing())
    assert.deepEqual([sent.host, sent.connection, sent.phases], ['', undefined, undefined])
  })

  it('have the connection on which the session was refused', async () => {
    const script = sinkScript([{ at: 'EHLO', reply: '421 4.3.2 Closing' }])
    await using system = await sinkAndTransport({ script })
    const sent = await system.transport.send(outgoing())
    assert.equal(sent.results[0]?.kind, 'lost_before_dot')
    assert.equal(sent.connection?.isReused, false)
    assert.deepEqual(phasesOf(sent), opening)
  })
})
