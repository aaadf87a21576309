import type { MailTransports, Transport } from '@postrider/ports/transport.ts'

/** Uses one transport for all mail of a dispatcher. */
export const transportsOver = (transport: Transport): MailTransports => ({
  live: { transactional: transport, marketing: transport },
  test: transport,
  simulator: transport,
  close: transport.close,
})
