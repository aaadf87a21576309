import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import tls from 'node:tls'
import type { RecipientResult } from '@postrider/domain/email/transmission.ts'
import type { Transport } from '@postrider/ports/transport.ts'
import { outgoing } from '../../../test/support/sinkAndTransport.ts'
import { sinkCertificate, sinkKey } from '../../../test/support/smtpSink.ts'
import { smtpTransport } from './smtpTransport.ts'

/** Replies by the first word of a command. `body` is the first chunk of a message, `dot` its end. */
type Script = Partial<
  Record<'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'QUIT' | 'body' | 'dot', string | ((line: string) => string)>
>

type ScriptedServer = AsyncDisposable & {
  transport: Transport
  /** Writes to the client of the last connection. The bytes are in its kernel when this returns. */
  write(text: string): void
  /** Messages whose final dot arrived. */
  dots(): number
}

const usual = {
  EHLO: '250-early.test\r\n250 PIPELINING',
  MAIL: '250 Ok',
  RCPT: '250 Ok',
  DATA: '354 Go',
  dot: '250 Ok',
  QUIT: '221 Bye',
}

/** Starts a server that writes replies at any time, and a transport with one connection to it. */
const scripted = async (script: Script, secure = false): Promise<ScriptedServer> => {
  const replies: Script = { ...usual, ...script }
  let client: net.Socket | null = null
  let dots = 0
  const onClient = (socket: net.Socket): void => {
    client = socket
    let pending = ''
    let body: 'none' | 'first' | 'rest' = 'none'
    const reply = (at: keyof Script, line = ''): void => {
      const text = replies[at] ?? ''
      const out = typeof text === 'string' ? text : text(line)
      if (out !== '') socket.write(`${out}\r\n`)
    }
    const readBody = (): boolean => {
      if (body === 'first' && pending !== '') reply('body')
      if (pending !== '') body = 'rest'
      const end = `\r\n${pending}`.indexOf('\r\n.\r\n')
      if (end === -1) return false
      pending = pending.slice(end + 3)
      body = 'none'
      dots++
      reply('dot')
      return true
    }
    const readLine = (): boolean => {
      const end = pending.indexOf('\r\n')
      if (end === -1) return false
      const line = pending.slice(0, end)
      const verb = line.slice(0, 4) as keyof typeof usual
      pending = pending.slice(end + 2)
      if (verb === 'DATA') body = 'first'
      reply(verb, line)
      return true
    }
    socket
      .on('error', () => socket.destroy())
      .on('data', (chunk) => {
        pending += chunk.toString('latin1')
        while (body === 'none' ? readLine() : readBody());
      })
    socket.write('220 early.test\r\n')
  }
  const certificate = { key: sinkKey(), cert: sinkCertificate() }
  const server = secure ? tls.createServer(certificate, onClient) : net.createServer({ noDelay: true }, onClient)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const target = { host: '127.0.0.1', port, secure, requireTls: false, ehloName: 'client.example' }
  const transport = smtpTransport({
    ...target,
    tls: { rejectUnauthorized: false },
    connections: 1,
    timeouts: { closeMs: 1_000 },
  })
  return {
    transport,
    write: (text) => void client?.write(text),
    dots: () => dots,
    [Symbol.asyncDispose]: async () => {
      await transport.close()
      client?.destroy()
      server.close()
    },
  }
}

const shorten = (results: readonly RecipientResult[]): (number | string)[] =>
  results.map((result) => (result.kind === 'answered' ? result.reply.code : result.kind))

const before = 'lost_before_dot'
const to = ['a@receiver.example', 'b@receiver.example']

/** A body that the kernel does not take in one piece. */
const long = Buffer.from(`Subject: long\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(60_000)}`)

const inNextIterations = async (): Promise<void> => {
  for (let left = 5; left > 0; left--) await new Promise((resolve) => setImmediate(resolve))
}

describe('reply that arrives before the final dot', () => {
  const early: [reply: string, result: number | string][] = [
    ['250 ok early', before],
    ['250-ok\r\n250 early', before],
    ['354 Go on', before],
    ['552 5.3.4 Too big', 552],
    ['451 4.3.0 Later', 451],
    ['421 4.3.2 Closing', 421],
  ]
  for (const [reply, result] of early) {
    it(`in the packet of the reply to DATA: ${JSON.stringify(reply)}`, async () => {
      await using system = await scripted({ DATA: `354 Go\r\n${reply}` })
      assert.deepEqual(shorten((await system.transport.send(outgoing({ to }))).results), [result, result])
      assert.equal(system.dots(), 0)
    })

    it(`while the body is written: ${JSON.stringify(reply)}`, async () => {
      await using system = await scripted({ body: reply })
      assert.deepEqual(shorten((await system.transport.send(outgoing({ to, raw: long }))).results), [result, result])
      assert.equal(system.dots(), 0)
    })

    it(`while the gate is written: ${JSON.stringify(reply)}`, async () => {
      await using system = await scripted({})
      const gate = async (): Promise<boolean> => {
        system.write(`${reply}\r\n`)
        await inNextIterations()
        return true
      }
      assert.deepEqual(shorten((await system.transport.send(outgoing({ to, gate }))).results), [result, result])
      assert.equal(system.dots(), 0)
    })

    // Regression: such a 250 was recorded as the acceptance of the message.
    it(`right before the dot, in the iteration of the gate: ${JSON.stringify(reply)}`, async () => {
      await using system = await scripted({})
      const gate = async (): Promise<boolean> => {
        system.write(`${reply}\r\n`)
        return true
      }
      assert.deepEqual(shorten((await system.transport.send(outgoing({ to, gate }))).results), [result, result])
      assert.equal(system.dots(), 0)
    })
  }

  it('right before the dot, over TLS', async () => {
    await using system = await scripted({}, true)
    const gate = async (): Promise<boolean> => {
      system.write('250 ok early\r\n')
      return true
    }
    assert.deepEqual(shorten((await system.transport.send(outgoing({ to, gate }))).results), [before, before])
    assert.deepEqual(shorten((await system.transport.send(outgoing())).results), [250])
  })

  // Regression: the reply to the dot was appended to it.
  for (const part of ['25', '250-ok\r\n', '552-too\r\n552'])
    it(`in part: ${JSON.stringify(part)}`, async () => {
      await using system = await scripted({ dot: '250 Ok' })
      const gate = async (): Promise<boolean> => {
        system.write(part)
        return true
      }
      assert.deepEqual(shorten((await system.transport.send(outgoing({ to, gate }))).results), [before, before])
      assert.equal(system.dots(), 0)
    })

  it('leaves the next message a new connection', async () => {
    await using system = await scripted({})
    const gate = async (): Promise<boolean> => {
      system.write('250 early\r\n')
      return true
    }
    assert.deepEqual(shorten((await system.transport.send(outgoing({ gate }))).results), [before])
    const next = await system.transport.send(outgoing())
    assert.deepEqual([shorten(next.results), next.connection?.isReused], [[250], false])
  })

  it('leaves the acceptance unknown when the server also refuses the message', async () => {
    await using system = await scripted({ dot: '250 early\r\n554 5.7.1 Spam' })
    assert.deepEqual(shorten((await system.transport.send(outgoing({ to }))).results), Array(2).fill('lost_after_dot'))
  })

  it('is no doubt about the acceptance when it is followed by a closing 421', async () => {
    await using system = await scripted({ dot: '250 Ok\r\n421 Idle for too long' })
    assert.deepEqual(shorten((await system.transport.send(outgoing({ to }))).results), [250, 250])
  })
})

describe('additional reply before the end of the envelope', () => {
  const refuseB = (line: string): string => (line.includes('<b@') ? '550 5.1.1 No such user' : '250 Ok')
  const pipelined = usual.EHLO
  const stepwise = '250 early.test'
  const cases: [name: string, script: Script][] = [
    ['after the reply to EHLO', { EHLO: `${pipelined}\r\n250 more` }],
    ['after the reply to MAIL', { MAIL: '250 Ok\r\n250 more' }],
    ['after the reply to a recipient', { RCPT: (line) => `${refuseB(line)}\r\n250 more` }],
    // The second line lacks the hyphen of the first.
    ['as a broken line of a refusal', { RCPT: (line) => (line.includes('<a@') ? '550 No\r\n550 See more' : '250 Ok') }],
    ['as a refusal before DATA is refused', { MAIL: '250 Ok\r\n250 more', DATA: '554 No' }],
  ]
  for (const [name, script] of cases)
    for (const EHLO of [pipelined, stepwise])
      it(`${name} refuses no recipient, ${EHLO === pipelined ? 'with' : 'without'} PIPELINING`, async () => {
        await using system = await scripted({ EHLO, RCPT: refuseB, ...script })
        assert.deepEqual(shorten((await system.transport.send(outgoing({ to }))).results), [before, before])
        assert.equal(system.dots(), 0)
      })

  it('is not the refusal of the next message', async () => {
    await using system = await scripted({})
    assert.deepEqual(shorten((await system.transport.send(outgoing())).results), [250])
    system.write('554 5.7.0 Nothing to do with you\r\n')
    assert.deepEqual(shorten((await system.transport.send(outgoing())).results), [before])
    assert.deepEqual(shorten((await system.transport.send(outgoing())).results), [250])
  })

  it('does not change refusals when it is a closing 421', async () => {
    await using system = await scripted({ RCPT: '550 5.1.1 No', DATA: '503 No recipients\r\n421 Too many errors' })
    assert.deepEqual(shorten((await system.transport.send(outgoing({ to }))).results), [550, 550])
  })
})
