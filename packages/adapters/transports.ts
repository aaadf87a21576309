import type { Clock } from '@postrider/kit/clock.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { Route } from '@postrider/mail/route.ts'
import type { MailboxStore } from '@postrider/ports/mailbox.ts'
import type { Transport } from '@postrider/ports/transport.ts'
import { mailboxTransport } from './mailbox/mailboxTransport.ts'
import { simulatorTransport } from './simulator/simulatorTransport.ts'
import { smtpTransport } from './smtp/smtpTransport.ts'

type Given = {
  route: Route
  mailbox: Pick<MailboxStore, 'put'>
  /** The shared platform sender; servers are greeted by its domain. */
  sender: { address: string }
  now: Clock
  log: Log
}

/** What carries mail under a route: of live keys, of test keys, and to magic recipients. */
type Transports = Record<'live' | 'test' | 'simulator', Transport>

/** How long sends may go on once we stop: Kubernetes kills after 30 s. */
const closeMs = 20_000

/** Under the mailbox route test mail is shown beside live mail; under any other it is only simulated. */
export const transportsFor = ({ route, mailbox, sender, now, log }: Given): Transports => {
  const simulator = simulatorTransport()
  if (route.kind === 'mailbox') {
    const live = mailboxTransport(mailbox, now)
    return { live, test: live, simulator }
  }
  const { kind: _, ...server } = route
  const ehloName = sender.address.slice(sender.address.lastIndexOf('@') + 1)
  return { live: smtpTransport({ ...server, ehloName, log, timeouts: { closeMs } }), test: simulator, simulator }
}
