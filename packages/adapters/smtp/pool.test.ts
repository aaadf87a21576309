import assert from 'node:assert/strict'
import type { Transmission } from '@postrider/domain/email/transmission.ts'
import { outgoing, sinkAndTransport } from '../../../test/support/sinkAndTransport.ts'
import { sinkScript } from '../../../test/support/smtpSink.ts'

const isTaken = ({ results }: Transmission): boolean => results[0]?.kind === 'answered' && results[0].reply.code === 250

describe('SMTP connections', () => {
  it('are no more than allowed, and each carries many messages', async () => {
    let most = 0
    const script = (): null => {
      most = Math.max(most, system.sink.counts().open)
      return null
    }
    await using system = await sinkAndTransport({ script }, { connections: 3 })
    const sent = await Promise.all(Array.from({ length: 200 }, () => system.transport.send(outgoing())))
    assert.ok(sent.every(isTaken))
    assert.deepEqual([system.sink.counts().connections, most], [3, 3])
  })

  it('are closed after so many messages, with QUIT', async () => {
    await using system = await sinkAndTransport({}, { connections: 1, messagesPerConnection: 10 })
    const sent = await Promise.all(Array.from({ length: 35 }, () => system.transport.send(outgoing())))
    assert.ok(sent.every(isTaken))
    assert.equal(system.sink.counts().connections, 4)
    assert.ok(system.sink.commands.filter(({ line }) => line === 'QUIT').length >= 3)
  })

  it('are closed, with QUIT, when nobody needed them for a while', async () => {
    await using system = await sinkAndTransport({}, { idleMs: 40 })
    await Promise.all([1, 2, 3].map(() => system.transport.send(outgoing())))
    await system.sink.deserted()
    assert.equal(system.sink.commands.filter(({ line }) => line === 'QUIT').length, 3)
    assert.ok(isTaken(await system.transport.send(outgoing())))
    assert.equal(system.sink.counts().connections, 4)
  })

  for (const [how, action] of [
    ['closed at MAIL', { hangUp: 'close' }],
    ['reset at MAIL', { hangUp: 'reset' }],
    ['ended by 421 at MAIL', { reply: '421 4.7.0 Enough', hangUp: 'close' }],
  ] as const)
    it(`${how} under a later message cost it nothing: it goes by a fresh one in the same send`, async () => {
      const script = ({ at, connection }: { at: string; connection: number }) => {
        if (at !== 'MAIL' || connection !== 1) return null
        mails++
        return mails === 2 ? action : null
      }
      let mails = 0
      await using system = await sinkAndTransport({ script }, { connections: 1 })
      assert.ok(isTaken(await system.transport.send(outgoing())))
      assert.ok(isTaken(await system.transport.send(outgoing())))
      assert.deepEqual([system.sink.counts().connections, system.sink.counts().messages], [2, 2])
    })

  it('that are fresh and closed at MAIL are an outcome, not tried again', async () => {
    await using system = await sinkAndTransport({ script: sinkScript([{ at: 'MAIL', hangUp: 'close' }]) })
    const { results } = await system.transport.send(outgoing())
    assert.deepEqual(results, [
      { kind: 'lost_before_dot', reason: `connection closed by 127.0.0.1:${system.sink.port}` },
    ])
    assert.equal(system.sink.counts().connections, 1)
  })

  it('that are lost later than MAIL are an outcome, never tried again by ourselves', async () => {
    for (const at of ['RCPT', 'DATA', 'dot'] as const) {
      const script = sinkScript([{ at, match: '^(?!.*first)', hangUp: 'close', every: at === 'RCPT' ? 1 : 2 }])
      await using system = await sinkAndTransport({ script }, { connections: 1 })
      assert.ok(isTaken(await system.transport.send(outgoing({ to: ['first@x.example'] }))), at)
      const { results } = await system.transport.send(outgoing({ to: ['second@x.example'] }))
      assert.equal(results[0]?.kind, at === 'dot' ? 'lost_after_dot' : 'lost_before_dot', at)
      assert.equal(system.sink.counts().connections, 1)
    }
  })

  it('closed by the server while idle are not used again', async () => {
    await using system = await sinkAndTransport({
      script: sinkScript([{ at: 'dot', reply: '250 Ok', hangUp: 'close' }]),
    })
    for (let n = 1; n <= 3; n++) {
      assert.ok(isTaken(await system.transport.send(outgoing())))
      await system.sink.deserted()
      assert.equal(system.sink.counts().connections, n)
    }
  })

  it('refused because the server has enough make messages wait for the others', async () => {
    const script = ({ at, connection }: { at: string; connection: number }) =>
      at === 'connect' && connection > 2 ? { reply: '421 4.7.0 Too many connections', hangUp: 'close' as const } : null
    await using system = await sinkAndTransport({ script }, { connections: 10 })
    const sent = await Promise.all(Array.from({ length: 100 }, () => system.transport.send(outgoing())))
    assert.ok(sent.every(isTaken))
    assert.ok(system.sink.counts().connections <= 12)
  })

  it('are cut off when closing takes too long, and say so', async () => {
    const script = sinkScript([{ at: 'dot', silent: true }])
    await using system = await sinkAndTransport({ script }, { connections: 1, timeouts: { closeMs: 50 } })
    const sending = [system.transport.send(outgoing()), system.transport.send(outgoing())]
    await system.transport.close()
    const [first, second] = await Promise.all(sending)
    assert.deepEqual(first?.results, [{ kind: 'lost_after_dot', reason: 'we are stopping' }])
    assert.deepEqual(second?.results, [{ kind: 'lost_before_dot', reason: 'we are stopping' }])
    await assert.rejects(system.transport.send(outgoing()), /closed/)
    await system.sink.deserted()
  })

  it('are left with QUIT when we close, after what was on its way', async () => {
    await using system = await sinkAndTransport(
      { script: sinkScript([{ at: 'dot', delayMs: 20 }]) },
      { connections: 2 },
    )
    const sending = Array.from({ length: 6 }, () => system.transport.send(outgoing()))
    await system.transport.close()
    assert.ok((await Promise.all(sending)).every(isTaken))
    assert.equal(system.sink.commands.filter(({ line }) => line === 'QUIT').length, 2)
    await system.sink.deserted()
  })
})
