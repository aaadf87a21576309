import type { Clock } from '@postrider/kit/clock.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import { domainOf } from '@postrider/mail/address.ts'
import type { MailRoute } from '@postrider/mail/mailRoute.ts'
import type { MailboxStore } from '@postrider/ports/mailbox.ts'
import type { MailTransports } from '@postrider/ports/transport.ts'
import { mailboxTransport } from './mailbox/mailboxTransport.ts'
import { simulatorTransport } from './simulator/simulatorTransport.ts'
import { smtpTransport } from './smtp/smtpTransport.ts'

export type OpenTransportsOptions = {
  mailRoute: MailRoute
  /** Maximum number of connections to the relay at the same time, for each lane. */
  connections: number
  mailbox: Pick<MailboxStore, 'put'>
  /** The shared sender. Its domain is the name in EHLO. */
  sender: { address: string }
  now: Clock
  log: Log
  /** The runner of the process for long work. */
  slices: Slices
}

/** How long running sends may continue when the process stops: Kubernetes kills it after 30 s. */
const closeMs = 20_000

/**
 * Opens the transports of a mail route. Test mail appears in the mailbox under `mailbox:`; otherwise it is simulated.
 */
export const openTransports = ({
  mailRoute,
  connections,
  mailbox,
  sender,
  now,
  log,
  slices,
}: OpenTransportsOptions): MailTransports => {
  const simulator = simulatorTransport()
  if (mailRoute.kind === 'mailbox') {
    const captured = mailboxTransport(mailbox, now)
    const live = { transactional: captured, marketing: captured }
    return { live, test: captured, simulator, close: captured.close }
  }
  const { kind: _, ...server } = mailRoute
  if (server.unverifiedTls) log.warn({ host: server.host }, 'mail server certificate is not verified')
  const ehloName = domainOf(sender.address)
  const open = () => smtpTransport({ ...server, connections, ehloName, log, slices, timeouts: { closeMs } })
  // A server that hangs on a campaign would occupy every connection for minutes, so each lane has its own.
  const live = { transactional: open(), marketing: open() }
  const close = async (): Promise<void> => {
    await Promise.all([live.transactional.close(), live.marketing.close()])
  }
  return { live, test: simulator, simulator, close }
}
