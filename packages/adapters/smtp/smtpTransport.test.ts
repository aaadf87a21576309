import assert from 'node:assert/strict'
import type { RecipientResult } from '@postrider/domain/email/transmission.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import type { Outgoing } from '@postrider/ports/transport.ts'
import { outgoing, sinkAndTransport } from '../../../test/support/sinkAndTransport.ts'
import { type SinkOptions, type SinkRule, type SinkScript, sinkScript } from '../../../test/support/smtpSink.ts'

const to = ['a@receiver.example', 'b@receiver.example', 'c@receiver.example']

/** Shortens results to a code or a kind. */
const shorten = (results: readonly RecipientResult[]): (number | string)[] =>
  results.map((result) => (result.kind === 'answered' ? result.reply.code : result.kind))

const before = 'lost_before_dot'
const after = 'lost_after_dot'
const next = 'next_transaction'

type Case = {
  name: string
  rules: SinkRule[]
  results: (number | string)[]
  /** Messages that the server accepted. */
  received?: number
  /** Recipients that the gate was called with; null when it was not called. */
  atGate?: number[] | null
  sink?: SinkOptions
}

const matrix: Case[] = [
  { name: 'everything accepted', rules: [], results: [250, 250, 250], received: 1, atGate: [0, 1, 2] },
  { name: 'MAIL refused', rules: [{ at: 'MAIL', reply: '550 5.7.1 No' }], results: [550, 550, 550] },
  { name: 'MAIL deferred', rules: [{ at: 'MAIL', reply: '451 4.3.0 Later' }], results: [451, 451, 451] },
  { name: 'MAIL: closed', rules: [{ at: 'MAIL', hangUp: 'close' }], results: [before, before, before] },
  {
    name: 'one recipient refused',
    rules: [{ at: 'RCPT', match: '<b@', reply: '550 5.1.1 No such user' }],
    results: [250, 550, 250],
    received: 1,
    atGate: [0, 2],
  },
  {
    name: 'one recipient deferred, one refused',
    rules: [
      { at: 'RCPT', match: '<a@', reply: '450 4.2.0 Greylisted' },
      { at: 'RCPT', match: '<c@', reply: '553 5.1.3 Bad' },
    ],
    results: [450, 250, 553],
    received: 1,
    atGate: [1],
  },
  { name: 'all recipients refused', rules: [{ at: 'RCPT', reply: '550 5.1.1 No' }], results: [550, 550, 550] },
  {
    name: 'all recipients refused and DATA accepted',
    rules: [
      { at: 'RCPT', reply: '550 5.1.1 No' },
      { at: 'DATA', reply: '354 Go on' },
      { at: 'dot', reply: '554 5.5.1 No recipients' },
    ],
    results: [550, 550, 550],
  },
  {
    name: 'RCPT: 421 after the first',
    rules: [{ at: 'RCPT', match: '<b@', reply: '421 4.3.2 Going down', hangUp: 'close' }],
    results: [before, 421, before],
  },
  { name: 'RCPT: closed', rules: [{ at: 'RCPT', match: '<b@', hangUp: 'close' }], results: [before, before, before] },
  { name: 'RCPT answered 354', rules: [{ at: 'RCPT', reply: '354 What?' }], results: [before, before, before] },
  {
    name: 'too many recipients by 4.5.3',
    rules: [],
    sink: { maxRecipients: 1 },
    results: [250, next, next],
    received: 1,
    atGate: [0],
  },
  {
    name: 'too many recipients by 552 of older servers',
    rules: [{ at: 'RCPT', match: '<[bc]@', reply: '552 Too many recipients' }],
    results: [250, next, next],
    received: 1,
    atGate: [0],
  },
  {
    name: 'a full mailbox is not too many recipients',
    rules: [{ at: 'RCPT', match: '<b@', reply: '452 4.2.2 Mailbox full' }],
    results: [250, 452, 250],
    received: 1,
    atGate: [0, 2],
  },
  {
    name: 'too many recipients at the first',
    rules: [{ at: 'RCPT', reply: '452 4.5.3 Too many recipients' }],
    results: [452, 452, 452],
  },
  { name: 'DATA refused', rules: [{ at: 'DATA', reply: '554 5.7.1 No' }], results: [554, 554, 554] },
  {
    name: 'DATA deferred, with a recipient refused before',
    rules: [
      { at: 'RCPT', match: '<a@', reply: '550 5.1.1 No' },
      { at: 'DATA', reply: '451 4.3.0 Later' },
    ],
    results: [550, 451, 451],
  },
  { name: 'DATA answered 250', rules: [{ at: 'DATA', reply: '250 Fine' }], results: [before, before, before] },
  { name: 'DATA: reset', rules: [{ at: 'DATA', hangUp: 'reset' }], results: [before, before, before] },
  { name: 'dot refused', rules: [{ at: 'dot', reply: '554 5.6.0 Spam' }], results: [554, 554, 554], atGate: [0, 1, 2] },
  {
    name: 'dot: 421 and closed',
    rules: [{ at: 'dot', reply: '421 4.3.2 Bye', hangUp: 'close' }],
    results: [421, 421, 421],
    atGate: [0, 1, 2],
  },
  {
    name: 'dot accepted, closed without a reply',
    rules: [{ at: 'dot', hangUp: 'close' }],
    results: [after, after, after],
    received: 1,
    atGate: [0, 1, 2],
  },
  {
    name: 'dot accepted, reset without a reply, with a recipient refused before',
    rules: [
      { at: 'RCPT', match: '<b@', reply: '550 5.1.1 No' },
      { at: 'dot', hangUp: 'reset' },
    ],
    results: [after, 550, after],
    received: 1,
    atGate: [0, 2],
  },
  {
    name: 'dot answered without SMTP',
    rules: [{ at: 'dot', reply: 'ok?' }],
    results: [after, after, after],
    atGate: [0, 1, 2],
  },
]

for (const pipelining of [true, false]) {
  describe(`SMTP transaction ${pipelining ? 'with' : 'without'} PIPELINING`, () => {
    for (const { name, rules, results, received = 0, atGate = null, sink: options } of matrix) {
      it(`${name}: ${results.join(', ')}`, async () => {
        const script = sinkScript(rules)
        await using system = await sinkAndTransport({ pipelining, script, ...options })
        let gated: readonly number[] | null = null
        const gate = async (accepted: readonly number[]): Promise<boolean> => {
          assert.equal(gated, null)
          gated = accepted
          return true
        }
        const transmission = await system.transport.send(outgoing({ to, gate }))
        assert.deepEqual(shorten(transmission.results), results)
        assert.deepEqual(gated, atGate)
        assert.equal(system.sink.counts().messages, received)
        assert.equal(transmission.host, `127.0.0.1:${system.sink.port}`)
      })
    }

    it('delivers the next message on the same connection after each kind of refusal', async () => {
      const script: SinkScript = ({ at, line, to: [recipient = ''] }) => {
        if (at === 'MAIL' && line.includes('mail-no')) return '550 5.7.1 No'
        if (at === 'RCPT' && line.includes('rcpt-no')) return '550 5.1.1 No'
        if (at === 'DATA' && recipient.startsWith('data-no')) return '451 4.3.0 Later'
        return at === 'dot' && recipient.startsWith('dot-no') ? '554 5.6.0 No' : null
      }
      await using system = await sinkAndTransport({ pipelining, script }, { connections: 1 })
      const { sink, transport } = system
      const codes = { 'mail-no': 550, 'rcpt-no': 550, 'data-no': 451, 'dot-no': 554, ada: 250 }
      for (const name of ['mail-no', 'rcpt-no', 'data-no', 'dot-no', 'data-no', 'mail-no', 'ada'] as const) {
        const message = outgoing({ from: `${name}@x.example`, to: [`${name}@x.example`] })
        assert.deepEqual(shorten((await transport.send(message)).results), [codes[name]], name)
      }
      assert.equal(sink.counts().connections, 1)
    })
  })
}

describe('final dot', () => {
  it('waits for the gate after the body has arrived', async () => {
    const bodyThere = Promise.withResolvers<void>()
    const script = ({ at }: { at: string }) => {
      if (at === 'body') bodyThere.resolve()
      return null
    }
    await using system = await sinkAndTransport({ script })
    const { sink, transport } = system
    const answer = Promise.withResolvers<boolean>()
    const sending = transport.send(outgoing({ gate: () => answer.promise }))
    await bodyThere.promise
    assert.equal(sink.counts().messages, 0)
    answer.resolve(true)
    assert.deepEqual(shorten((await sending).results), [250])
    assert.equal(sink.counts().messages, 1)
  })

  it('is not sent when the gate is closed; the connection is dropped', async () => {
    await using system = await sinkAndTransport()
    const { sink, transport } = system
    const { results } = await transport.send(outgoing({ gate: async () => false }))
    assert.deepEqual(results, [{ kind: 'gate_closed' }])
    await sink.deserted()
    assert.equal(sink.counts().messages, 0)
  })

  it('is not sent when the connection is lost during the gate', async () => {
    await using system = await sinkAndTransport({ script: sinkScript([{ at: 'body', hangUp: 'close' }]) })
    const { sink, transport } = system
    const gate = async (): Promise<boolean> => {
      // The sink has closed its half and sees the end after our side has received it.
      await sink.deserted()
      return true
    }
    const { results } = await transport.send(outgoing({ gate }))
    assert.deepEqual(shorten(results), [before])
  })

  it('is not needed when the server refuses during the body', async () => {
    const script = sinkScript([{ at: 'body', reply: '552 5.3.4 Too big', hangUp: 'close' }])
    await using system = await sinkAndTransport({ script })
    const { sink, transport } = system
    const gate = async (): Promise<boolean> => {
      await sink.deserted()
      return true
    }
    assert.deepEqual(shorten((await transport.send(outgoing({ gate }))).results), [552])
    assert.equal(sink.counts().messages, 0)
  })
})

describe('received message', () => {
  const bodies: [name: string, raw: string][] = [
    ['dots at line starts', '.\r\n..\r\n.a\r\n\r\n.\r\nend\r\n'],
    ['an empty message', ''],
    ['no line end at the end', 'Subject: x\r\n\r\nend'],
    ['a last line of one dot without its end', 'Subject: x\r\n\r\n.'],
    ['eight-bit bytes', 'Subject: x\r\n\r\n\xe4\xff\x80\r\n'],
  ]
  for (const [name, text] of bodies) {
    it(`equals what was sent: ${name}`, async () => {
      await using system = await sinkAndTransport()
      await system.transport.send(outgoing({ raw: Buffer.from(text, 'latin1') }))
      const ended = text === '' || text.endsWith('\r\n') ? text : `${text}\r\n`
      assert.equal(system.sink.messages[0]?.raw.toString('latin1'), ended)
    })
  }

  it('equals what was sent for five megabytes with a dot in every line', async () => {
    await using system = await sinkAndTransport()
    const raw = Buffer.from(`Subject: x\r\n\r\n${`.${'x'.repeat(70)}\r\n`.repeat(70_000)}`)
    await system.transport.send(outgoing({ raw }))
    assert.ok(system.sink.messages[0]?.raw.equals(raw))
  })

  // Regression: a long message with short lines was prepared in one step of up to 100 ms.
  it('is prepared in slices of its workspace if it is long', async () => {
    const pauses: Record<string, number> = {}
    const slices = {
      of: (owner: string) => ({
        ...makeSlices(),
        begin: async <Result>(steps: Generator<undefined, Result, undefined>): Promise<Result> => {
          for (let count = 0; ; count++) {
            const step = steps.next()
            if (!step.done) continue
            pauses[owner] = (pauses[owner] ?? 0) + count
            return step.value
          }
        },
      }),
    }
    await using system = await sinkAndTransport({}, { slices })
    for (const [workspace, lines] of [
      ['ws_short', 10],
      ['ws_long', 300_000],
    ] as const)
      await system.transport.send(outgoing({ workspace, raw: Buffer.from('.\r\n'.repeat(lines)) }))
    assert.deepEqual(Object.keys(pauses), ['ws_short', 'ws_long'])
    assert.equal(pauses.ws_short, 0)
    assert.ok(Number(pauses.ws_long) > 20, `${pauses.ws_long} pauses`)
  })

  for (const [name, raw] of [
    ['an empty message', ''],
    ['a short message', 'Subject: x\r\n\r\n.dots\r\n'],
    ['a message of several blocks', `Subject: x\r\n\r\n${'.dots\r\n'.repeat(50_000)}`],
    // The last block is the second half of the last line end.
    ['a message whose last line end is in two blocks', `Subject: x\r\n\r\n${'x'.repeat(262_144 - 15)}\r\n`],
  ] as const)
    it(`begins with its signatures, and SIZE counts them: ${name}`, async () => {
      await using system = await sinkAndTransport()
      const signatures = Buffer.from('DKIM-Signature: a=1;\r\n b=2\r\n')
      const { steps } = await system.transport.send(outgoing({ signatures, raw: Buffer.from(raw) }))
      assert.equal(system.sink.messages[0]?.raw.toString('latin1'), `${signatures}${raw}`)
      const mail = steps.find(({ name }) => name === 'MAIL')?.command ?? ''
      assert.match(mail, new RegExp(` SIZE=${signatures.length + raw.length}$`))
    })

  it('is one message for bytes that a server with bare CR or LF line ends would read as two', async () => {
    const smuggled = 'MAIL FROM:<e@evil.example>\nRCPT TO:<v@victim.example>\nDATA\nSubject: forged\n\nx'
    for (const end of ['\n.\n', '\n.\r\n', '\r.\r', '\r.\r\n', '\r\n.\n', '\r\n.\r']) {
      await using system = await sinkAndTransport({ lenient: true }, { timeouts: { dotMs: 60_000 } })
      const raw = Buffer.from(`Subject: x\r\n\r\nhello${end}${smuggled}${end}`)
      await assert.rejects(system.transport.send(outgoing({ raw })), /bare CR or LF/)
      assert.equal(system.sink.counts().messages, 0)
      const clean = Buffer.from(raw.toString().replace(/\r\n|\r|\n/g, '\r\n'))
      assert.deepEqual(shorten((await system.transport.send(outgoing({ raw: clean }))).results), [250])
      assert.equal(system.sink.counts().messages, 1)
    }
  })

  it('never has an address with further commands or parameters', async () => {
    await using system = await sinkAndTransport()
    for (const address of ['a@b.example>\r\nRCPT TO:<c@d.example', 'a b@c.example', 'a@b.example> SIZE=1'])
      await assert.rejects(system.transport.send(outgoing({ to: [address] })), /not safe in SMTP/)
    await assert.rejects(system.transport.send(outgoing({ to: [''] })), /not safe in SMTP/)
    assert.equal((await system.transport.send(outgoing())).results[0]?.kind, 'answered')
    assert.equal(system.sink.counts().connections, 1)
  })
})

describe('recipient that needs SMTPUTF8', () => {
  const raw = Buffer.from('To: =?utf-8?q?j=C3=B6rg?=:;\r\n\r\nHello\r\n')
  const wide = Buffer.from('To: jörg@receiver.example\r\n\r\nHello\r\n')
  const to = ['jörg@receiver.example', 'ada@receiver.example', '用户@receiver.example']
  const gated: (readonly number[])[] = []
  const message = (over: Partial<Outgoing> = {}): Outgoing =>
    outgoing({
      raw,
      utf8: async () => ({ raw: wide }),
      gate: async (accepted) => {
        gated.push(accepted)
        return true
      },
      ...over,
    })
  beforeEach(() => gated.splice(0))

  for (const pipelining of [true, false]) {
    it(`gets the message in UTF-8 ${pipelining ? 'with' : 'without'} PIPELINING`, async () => {
      await using system = await sinkAndTransport({ smtpUtf8: true, pipelining })
      const { results, steps } = await system.transport.send(message({ to }))
      assert.deepEqual(shorten(results), [250, 250, 250])
      const [received] = system.sink.messages
      assert.deepEqual(received?.to, to)
      assert.equal(received.raw.toString(), wide.toString())
      const mail = steps.find(({ name }) => name === 'MAIL')?.command
      assert.equal(mail, `MAIL FROM:<bounce@sender.example> SIZE=${wide.length} BODY=8BITMIME SMTPUTF8`)
      assert.equal(steps.filter(({ name }) => name === 'RCPT')[0]?.command, `RCPT TO:<${to[0]}>`)
    })

    it(`gets 5.6.7 where it is not offered, ${pipelining ? 'with' : 'without'} PIPELINING`, async () => {
      await using system = await sinkAndTransport({ pipelining })
      const { results } = await system.transport.send(message({ to }))
      const codes = results.map((result) => (result.kind === 'answered' ? result.reply.enhanced : result.kind))
      assert.deepEqual(codes, ['5.6.7', '2.0.0', '5.6.7'])
      assert.deepEqual(gated, [[1]])
      assert.deepEqual(system.sink.messages[0]?.to, ['ada@receiver.example'])
      assert.equal(system.sink.messages[0].raw.toString(), raw.toString())
    })
  }

  it('is every recipient of a sender that needs it', async () => {
    await using system = await sinkAndTransport()
    const sent = message({ to: ['ada@receiver.example', 'bob@receiver.example'], isUtf8Sender: true })
    const { results } = await system.transport.send(sent)
    const answers = results.map((result) => (result.kind === 'answered' ? result.reply.text : result.kind))
    assert.deepEqual(answers, Array(2).fill(answers[0]))
    assert.match(answers[0] ?? '', /address of from_ needs SMTPUTF8/)
    assert.deepEqual(gated, [])
  })

  it('makes no transaction if no recipient can get the message, and the connection stays in use', async () => {
    await using system = await sinkAndTransport()
    const { results, host } = await system.transport.send(message({ to: ['jörg@receiver.example'] }))
    assert.equal(results[0]?.kind === 'answered' && results[0].reply.enhanced, '5.6.7')
    assert.notEqual(host, '')
    assert.deepEqual(gated, [])
    await system.transport.send(outgoing())
    assert.deepEqual([system.sink.counts().connections, system.sink.counts().messages], [1, 1])
  })

  it('changes no transaction without such an address', async () => {
    await using system = await sinkAndTransport({ smtpUtf8: true })
    const { steps } = await system.transport.send(outgoing())
    assert.doesNotMatch(steps.find(({ name }) => name === 'MAIL')?.command ?? '', /SMTPUTF8|8BITMIME/)
  })

  it('never has an address with further commands or parameters', async () => {
    await using system = await sinkAndTransport({ smtpUtf8: true })
    for (const address of [
      'ü@b.example>\r\nRCPT TO:<c@d.example',
      'ü b@c.example',
      'ü\u0085@b.example',
      'ü\u2028@b.example',
    ])
      await assert.rejects(system.transport.send(message({ to: [address] })), /not safe in SMTP/)
  })
})

describe('server that misbehaves', () => {
  /** Short only for the step without a reply: on a busy machine another step would be late too. */
  const timeoutsOf = (at: SinkRule['at']) =>
    at === 'dot' ? { dotMs: 150 } : { commandMs: 150, dataMs: 150, blockMs: 150 }
  const cases: [name: string, at: SinkRule['at'], result: string][] = [
    ['greeting', 'connect', before],
    ['EHLO', 'EHLO', before],
    ['MAIL', 'MAIL', before],
    ['RCPT', 'RCPT', before],
    ['DATA', 'DATA', before],
    ['final dot', 'dot', after],
  ]
  for (const [name, at, result] of cases) {
    it(`is dropped when it does not reply to ${name} in time`, async () => {
      const script = sinkScript([{ at, silent: true }])
      await using system = await sinkAndTransport({ script, pipelining: false }, { timeouts: timeoutsOf(at) })
      const { results } = await system.transport.send(outgoing())
      assert.deepEqual(shorten(results), [result])
      assert.match(JSON.stringify(results), /no reply from 127\.0\.0\.1:\d+ within 0\.15 s/)
      await system.sink.deserted()
    })
  }

  it('is dropped when its reply is too long', async () => {
    const script = sinkScript([{ at: 'MAIL', reply: `${'250-more and more of it\r\n'.repeat(2_000)}250 end` }])
    await using system = await sinkAndTransport({ script })
    const { results } = await system.transport.send(outgoing())
    assert.match(JSON.stringify(results), /reply is too long/)
    await system.sink.deserted()
  })

  it('has control characters in its replies replaced', async () => {
    const script = sinkScript([{ at: 'RCPT', reply: '550 5.1.1 \x1b[31mred\x07 \xff\xfe no' }])
    await using system = await sinkAndTransport({ script })
    const { results, steps } = await system.transport.send(outgoing())
    const text = '?[31mred? \ufffd\ufffd no'
    assert.deepEqual(results, [{ kind: 'answered', reply: { code: 550, enhanced: '5.1.1', text } }])
    assert.ok(steps.some(({ reply }) => reply === `550 5.1.1 ${text}`))
  })
})

describe('steps of a transmission', () => {
  it('contain the opening for the first message and the transaction for each', async () => {
    await using system = await sinkAndTransport()
    const since = performance.now()
    const first = await system.transport.send(outgoing({ to }))
    // Durations are rounded to hundredths of a millisecond.
    const totalMs = performance.now() - since + 0.01
    const names = ['greeting', 'EHLO', 'MAIL', 'RCPT', 'RCPT', 'RCPT', 'DATA', 'final dot']
    assert.deepEqual(
      first.steps.map(({ name }) => name),
      names,
    )
    assert.equal(first.steps[2]?.command, 'MAIL FROM:<bounce@sender.example> SIZE=25')
    assert.equal(first.steps[4]?.command, 'RCPT TO:<b@receiver.example>')
    assert.equal(first.steps.at(-1)?.reply, '250 2.0.0 Ok')
    assert.ok(first.steps.every(({ duration_ms }) => duration_ms >= 0 && duration_ms <= totalMs))
    const second = await system.transport.send(outgoing())
    assert.deepEqual(
      second.steps.map(({ name }) => name),
      ['MAIL', 'RCPT', 'DATA', 'final dot'],
    )
  })

  it('contain at most 1,000 characters of a reply', async () => {
    const script = sinkScript([{ at: 'RCPT', reply: `550 ${'x'.repeat(3_000)}` }])
    await using system = await sinkAndTransport({ script })
    const { steps } = await system.transport.send(outgoing())
    assert.ok(steps.every(({ reply }) => reply.length <= 1_001))
  })
})
