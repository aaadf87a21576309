import { mailboxTransport } from '@postrider/adapters/mailbox/mailboxTransport.ts'
import { simulatorTransport } from '@postrider/adapters/simulator/simulatorTransport.ts'
import type { Route } from '@postrider/adapters/smtp/route.ts'
import { smtpTransport } from '@postrider/adapters/smtp/smtpTransport.ts'
import { type Routes, routesOver } from '@postrider/dispatcher/routes.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { MailboxStore } from '@postrider/ports/mailbox.ts'
import type { Transport } from '@postrider/ports/transport.ts'

type Parts = { route: Route; mailbox: MailboxStore; senderDomain: string; now: Clock; log: Log }

/** How long sends may go on once we stop: Kubernetes kills after 30 s. */
const closeMs = 20_000

/** Under the mailbox route test mail is shown beside live mail; under any other it is only simulated. */
export const transportsFor = ({
  route,
  mailbox,
  senderDomain,
  now,
  log,
}: Parts): { live: Transport; routes: Routes } => {
  const simulator = simulatorTransport()
  if (route.kind === 'mailbox') {
    const live = mailboxTransport(mailbox, now)
    return { live, routes: routesOver({ live, test: live, simulator }) }
  }
  const { kind: _, ...server } = route
  const live = smtpTransport({ ...server, ehloName: senderDomain, log, timeouts: { closeMs } })
  return { live, routes: routesOver({ live, test: simulator, simulator }) }
}

/** The route as a person may read it: without its login. */
export const shownRoute = (route: Route): string =>
  route.kind === 'mailbox' ? 'mailbox:' : `${route.secure ? 'smtps' : 'smtp'}://${route.host}:${route.port}`
