import { testTransportOf } from '@postrider/domain/email/recipientGroups.ts'
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

type LiveTransports = Pick<MailTransports, 'live' | 'close'>

const mailboxTransports = ({ mailbox, now }: OpenTransportsOptions): LiveTransports => {
  const captured = mailboxTransport(mailbox, now)
  return { live: { transactional: captured, marketing: captured }, close: captured.close }
}

const smtpTransports = (
  { kind: _, ...server }: Extract<MailRoute, { kind: 'smtp' }>,
  { connections, sender, log, slices }: OpenTransportsOptions,
): LiveTransports => {
  if (server.unverifiedTls) log.warn({ host: server.host }, 'mail server certificate is not verified')
  const ehloName = domainOf(sender.address)
  const open = () => smtpTransport({ ...server, connections, ehloName, log, slices, timeouts: { closeMs } })
  // A server that hangs on a campaign would occupy every connection for minutes, so each lane has its own.
  const live = { transactional: open(), marketing: open() }
  const close = async (): Promise<void> => {
    await Promise.all([live.transactional.close(), live.marketing.close()])
  }
  return { live, close }
}

/** Opens the transports of a mail route, and the simulator. */
export const openTransports = (options: OpenTransportsOptions): MailTransports => {
  const { mailRoute } = options
  const { live, close } = mailRoute.kind === 'mailbox' ? mailboxTransports(options) : smtpTransports(mailRoute, options)
  const simulator = simulatorTransport()
  return { live, test: testTransportOf(mailRoute) === 'live' ? live.transactional : simulator, simulator, close }
}
