import { mailboxTransport } from '@postrider/adapters/mailbox/mailboxTransport.ts'
import { simulatorTransport } from '@postrider/adapters/simulator/simulatorTransport.ts'
import { smtpTransport } from '@postrider/adapters/smtp/smtpTransport.ts'
import type { CapturedMail } from '@postrider/ports/mailbox.ts'
import { transportConformance } from '@postrider/ports/transport.conformance.ts'
import { startReceiver } from '../support/receiver.ts'
import { type SinkOptions, smtpSink } from '../support/smtpSink.ts'

describe('transports', () => {
  let opened: (() => Promise<void>)[] = []

  afterEach(async () => {
    for (const close of opened.reverse()) await close()
    opened = []
  })

  const overSmtp = (port: number) => {
    const target = { host: '127.0.0.1', port, secure: false, requireTls: false, ehloName: 'client.example' }
    const transport = smtpTransport({ ...target, connections: 5 })
    opened.push(transport.close)
    return transport
  }

  const intoSink = (options: SinkOptions) => async () => {
    const sink = await smtpSink(options)
    opened.push(sink.close)
    return { transport: overSmtp(sink.port), arrived: async () => sink.messages }
  }

  transportConformance('SMTP', intoSink({}))
  transportConformance('SMTP without PIPELINING', intoSink({ pipelining: false }))
  transportConformance('SMTP with STARTTLS', intoSink({ startTls: true }))

  transportConformance('SMTP to an independent server', async () => {
    const receiver = await startReceiver({ tls: 'starttls' })
    opened.push(receiver.close)
    return { transport: overSmtp(receiver.port), arrived: async () => receiver.received }
  })

  transportConformance('mailbox', async () => {
    const entries: CapturedMail[] = []
    const put = async (entry: CapturedMail): Promise<void> => void entries.push(entry)
    return { transport: mailboxTransport({ put }, () => 0), arrived: async () => entries }
  })

  transportConformance('simulator', async () => ({ transport: simulatorTransport(), arrived: null }))
})
