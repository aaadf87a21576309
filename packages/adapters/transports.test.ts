import assert from 'node:assert/strict'
import { makeLog } from '@postrider/kit/log.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import { outgoing } from '../../test/support/sinkAndTransport.ts'
import { smtpSink } from '../../test/support/smtpSink.ts'
import { until } from '../../test/support/until.ts'
import { openTransports } from './transports.ts'

describe('transports of a mail route', () => {
  it('warn once at start where the certificate of the relay is not verified', async () => {
    const mailbox = { put: () => assert.fail('mail was stored in the mailbox') }
    const server = { kind: 'smtp' as const, host: '127.0.0.1', port: 9, secure: false, requireTls: false }
    for (const [route, count] of [
      [server, 0],
      [{ ...server, unverifiedTls: true as const }, 1],
    ] as const) {
      const lines: string[] = []
      const log = makeLog('test', 'info', { write: (line) => void lines.push(line) })
      const options = { connections: 1, mailbox, sender: { address: 'mail@sender.example' }, now: Date.now, log }
      await openTransports({ mailRoute: route, slices: makeSlices(), ...options }).close()
      assert.equal(lines.filter((line) => line.includes('mail server certificate is not verified')).length, count)
    }
  })

  it('send transactional mail while the relay hangs on marketing mail', async () => {
    // Regression: the lanes used to share connections, and marketing mail without a reply occupied all of them for five
    // minutes.
    await using sink = await smtpSink({ script: ({ line }) => (line.includes('campaign') ? { silent: true } : null) })
    const transports = openTransports({
      mailRoute: { kind: 'smtp', host: '127.0.0.1', port: sink.port, secure: false, requireTls: false },
      connections: 3,
      mailbox: { put: () => assert.fail('mail was stored in the mailbox') },
      sender: { address: 'mail@sender.example' },
      now: Date.now,
      log: makeLog('test', 'silent'),
      slices: makeSlices(),
    })
    const hanging = Array.from({ length: 9 }, () =>
      transports.live.marketing.send(outgoing({ to: ['campaign@b.example'] })),
    )
    await until('marketing mail occupies all of its connections', () => sink.counts().open >= 3 || undefined)
    const { results } = await transports.live.transactional.send(outgoing())
    assert.equal(results[0]?.kind, 'answered', JSON.stringify(results))
    await sink.close()
    await Promise.all(hanging)
    await transports.close()
  })
})
