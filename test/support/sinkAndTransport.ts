import { type SmtpOptions, smtpTransport } from '@postrider/adapters/smtp/smtpTransport.ts'
import type { Outgoing, Transport } from '@postrider/ports/transport.ts'
import { type SinkOptions, type SmtpSink, smtpSink } from './smtpSink.ts'

/** A sink and our client that sends into it; both are closed when the test's block ends. */
export const sinkAndTransport = async (
  sinkOptions: SinkOptions = {},
  options: Partial<SmtpOptions> = {},
): Promise<AsyncDisposable & { sink: SmtpSink; transport: Transport }> => {
  const sink = await smtpSink(sinkOptions)
  const target = { host: '127.0.0.1', port: sink.port, secure: false, requireTls: false, ehloName: 'client.example' }
  const transport = smtpTransport({ ...target, ...options, timeouts: { closeMs: 1_000, ...options.timeouts } })
  const close = async (): Promise<void> => {
    await transport.close()
    await sink.close()
  }
  return { sink, transport, [Symbol.asyncDispose]: close }
}

/** A message fit to be sent; `change` says what is special about it. */
export const outgoing = (change: Partial<Outgoing> = {}): Outgoing => ({
  emailId: 'em_1',
  attemptId: 'att_1',
  workspace: 'ws_1',
  mode: 'live',
  from: 'bounce@sender.example',
  to: ['ada@receiver.example'],
  raw: Buffer.from('Subject: hello\r\n\r\nHello\r\n'),
  gate: async () => true,
  ...change,
})
