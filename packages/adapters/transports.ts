import type { Lane } from '@postrider/domain/email/email.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { MailRoute } from '@postrider/mail/mailRoute.ts'
import type { MailboxStore } from '@postrider/ports/mailbox.ts'
import type { Transport } from '@postrider/ports/transport.ts'
import { mailboxTransport } from './mailbox/mailboxTransport.ts'
import { simulatorTransport } from './simulator/simulatorTransport.ts'
import { smtpTransport } from './smtp/smtpTransport.ts'

type Given = {
  route: MailRoute
  /** Most to the next server at once, for each lane. */
  connections: number
  mailbox: Pick<MailboxStore, 'put'>
  /** The shared platform sender; servers are greeted by its domain. */
  sender: { address: string }
  now: Clock
  log: Log
}

/** What carries mail under a route: of live keys, each lane's own, of test keys, and to magic recipients. */
type Transports = { live: Record<Lane, Transport>; test: Transport; simulator: Transport; close(): Promise<void> }

/** How long sends may go on once we stop: Kubernetes kills after 30 s. */
const closeMs = 20_000

/** Under the mailbox route test mail is shown beside live mail; under any other it is only simulated. */
export const transportsFor = ({ route, connections, mailbox, sender, now, log }: Given): Transports => {
  const simulator = simulatorTransport()
  if (route.kind === 'mailbox') {
    const shown = mailboxTransport(mailbox, now)
    return { live: { transactional: shown, marketing: shown }, test: shown, simulator, close: shown.close }
  }
  const { kind: _, ...server } = route
  const ehloName = sender.address.slice(sender.address.lastIndexOf('@') + 1)
  const own = () => smtpTransport({ ...server, connections, ehloName, log, timeouts: { closeMs } })
  // A server that hangs on a campaign would hold every connection for minutes: those of the other lane are others.
  const live = { transactional: own(), marketing: own() }
  const close = async (): Promise<void> => {
    await Promise.all([live.transactional.close(), live.marketing.close()])
  }
  return { live, test: simulator, simulator, close }
}
