import type { MailTransports, Transport } from '@postrider/ports/transport.ts'

/** Returns the transports of a dispatcher that sends all mail with one transport. */
export const transportsOver = (transport: Transport): MailTransports => ({
  live: { transactional: transport, marketing: transport },
  test: transport,
  simulator: transport,
  close: transport.close,
})
