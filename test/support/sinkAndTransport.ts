import { type SmtpOptions, smtpTransport } from '@postrider/adapters/smtp/smtpTransport.ts'
import type { Outgoing, Transport } from '@postrider/ports/transport.ts'
import { type SinkOptions, type SmtpSink, smtpSink } from './smtpSink.ts'

/** Starts a sink and an SMTP transport that sends to it. Disposal closes both. */
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

/** Returns a message that can be sent; `over` replaces fields. */
export const outgoing = (over: Partial<Outgoing> = {}): Outgoing => ({
  emailId: 'em_1',
  attemptId: 'att_1',
  workspace: 'ws_1',
  mode: 'live',
  from: 'bounce@sender.example',
  to: ['ada@receiver.example'],
  raw: Buffer.from('Subject: hello\r\n\r\nHello\r\n'),
  gate: async () => true,
  ...over,
})
