import assert from 'node:assert/strict'
import type { Transmission } from '@postrider/domain/email/transmission.ts'
import { outgoing, sinkAndTransport } from '../../../test/support/sinkAndTransport.ts'
import { type SinkScript, sinkScript } from '../../../test/support/smtpSink.ts'

const isDelivered = ({ results }: Transmission): boolean =>
  results[0]?.kind === 'answered' && results[0].reply.code === 250

describe('pool of SMTP connections', () => {
  it('opens no more connections than allowed and reuses each for many messages', async () => {
    let max = 0
    const script = (): null => {
      max = Math.max(max, system.sink.counts().open)
      return null
    }
    await using system = await sinkAndTransport({ script }, { connections: 3 })
    const sent = await Promise.all(Array.from({ length: 200 }, () => system.transport.send(outgoing())))
    assert.ok(sent.every(isDelivered))
    assert.deepEqual([system.sink.counts().connections, max], [3, 3])
  })

  it('closes a connection with QUIT after its number of messages', async () => {
    await using system = await sinkAndTransport({}, { connections: 1, messagesPerConnection: 10 })
    const sent = await Promise.all(Array.from({ length: 35 }, () => system.transport.send(outgoing())))
    assert.ok(sent.every(isDelivered))
    assert.equal(system.sink.counts().connections, 4)
    assert.ok(system.sink.commands.filter(({ line }) => line === 'QUIT').length >= 3)
  })

  it('closes unused connections with QUIT', async () => {
    await using system = await sinkAndTransport({}, { idleMs: 40 })
    await Promise.all([1, 2, 3].map(() => system.transport.send(outgoing())))
    await system.sink.deserted()
    assert.equal(system.sink.commands.filter(({ line }) => line === 'QUIT').length, 3)
    assert.ok(isDelivered(await system.transport.send(outgoing())))
    assert.equal(system.sink.counts().connections, 4)
  })

  for (const [how, action] of [
    ['closed at MAIL', { hangUp: 'close' }],
    ['reset at MAIL', { hangUp: 'reset' }],
    ['ended by 421 at MAIL', { reply: '421 4.7.0 Enough', hangUp: 'close' }],
  ] as const)
    it(`sends a later message on a new connection when the reused one is ${how}`, async () => {
      const script = ({ at, connection }: { at: string; connection: number }) => {
        if (at !== 'MAIL' || connection !== 1) return null
        mails++
        return mails === 2 ? action : null
      }
      let mails = 0
      await using system = await sinkAndTransport({ script }, { connections: 1 })
      assert.ok(isDelivered(await system.transport.send(outgoing())))
      assert.ok(isDelivered(await system.transport.send(outgoing())))
      assert.deepEqual([system.sink.counts().connections, system.sink.counts().messages], [2, 2])
    })

  it('does not retry when a new connection is closed at MAIL', async () => {
    await using system = await sinkAndTransport({ script: sinkScript([{ at: 'MAIL', hangUp: 'close' }]) })
    const { results } = await system.transport.send(outgoing())
    assert.deepEqual(results, [
      { kind: 'lost_before_dot', reason: `connection closed by 127.0.0.1:${system.sink.port}` },
    ])
    assert.equal(system.sink.counts().connections, 1)
  })

  it('does not retry when a reused connection is lost after MAIL', async () => {
    for (const at of ['RCPT', 'DATA', 'dot'] as const) {
      const script = sinkScript([{ at, match: '^(?!.*first)', hangUp: 'close', every: at === 'RCPT' ? 1 : 2 }])
      await using system = await sinkAndTransport({ script }, { connections: 1 })
      assert.ok(isDelivered(await system.transport.send(outgoing({ to: ['first@x.example'] }))), at)
      const { results } = await system.transport.send(outgoing({ to: ['second@x.example'] }))
      assert.equal(results[0]?.kind, at === 'dot' ? 'lost_after_dot' : 'lost_before_dot', at)
      assert.equal(system.sink.counts().connections, 1)
    }
  })

  it('does not reuse a connection that the server closed while it was idle', async () => {
    await using system = await sinkAndTransport({
      script: sinkScript([{ at: 'dot', reply: '250 Ok', hangUp: 'close' }]),
    })
    for (let n = 1; n <= 3; n++) {
      assert.ok(isDelivered(await system.transport.send(outgoing())))
      await system.sink.deserted()
      assert.equal(system.sink.counts().connections, n)
    }
  })

  it('lets messages wait for other connections when the server refuses one more', async () => {
    const script = ({ at, connection }: { at: string; connection: number }) =>
      at === 'connect' && connection > 2 ? { reply: '421 4.7.0 Too many connections', hangUp: 'close' as const } : null
    await using system = await sinkAndTransport({ script }, { connections: 10 })
    const sent = await Promise.all(Array.from({ length: 100 }, () => system.transport.send(outgoing())))
    assert.ok(sent.every(isDelivered))
    assert.ok(system.sink.counts().connections <= 12)
  })

  it('ends running sends when closing takes too long', async () => {
    const reached = Promise.withResolvers<void>()
    const script: SinkScript = ({ at }) => {
      if (at !== 'dot') return null
      reached.resolve()
      return { silent: true }
    }
    await using system = await sinkAndTransport({ script }, { connections: 1, timeouts: { closeMs: 50 } })
    const sending = [system.transport.send(outgoing()), system.transport.send(outgoing())]
    await reached.promise
    await system.transport.close()
    const [first, second] = await Promise.all(sending)
    assert.deepEqual(first?.results, [{ kind: 'lost_after_dot', reason: 'the process is stopping' }])
    assert.deepEqual(second?.results, [{ kind: 'lost_before_dot', reason: 'the process is stopping' }])
    await assert.rejects(system.transport.send(outgoing()), /closed/)
    await system.sink.deserted()
  })

  it('finishes running sends and then closes every connection with QUIT', async () => {
    await using system = await sinkAndTransport(
      { script: sinkScript([{ at: 'dot', delayMs: 20 }]) },
      { connections: 2, timeouts: { closeMs: 60_000 } },
    )
    const sending = Array.from({ length: 6 }, () => system.transport.send(outgoing()))
    await system.transport.close()
    assert.ok((await Promise.all(sending)).every(isDelivered))
    assert.equal(system.sink.commands.filter(({ line }) => line === 'QUIT').length, 2)
    await system.sink.deserted()
  })
})
