import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { problemOf } from '../../api/problem.ts'
import { sessionQuery } from '../../api/session.ts'
import { optionalText, present } from '../search.ts'
import { root } from './root.tsx'

/**
 * The mailbox: for owners in the frame with the navigation, and without a session for people on the machine of the
 * service, as the service decides.
 */
const mailboxArea = createRoute({
  getParentRoute: () => root,
  id: 'mailbox-area',
  beforeLoad: async ({ context: { api, queries } }) => {
    try {
      await queries.ensureQueryData(sessionQuery(api))
      return { hasSession: true }
    } catch (thrown) {
      if (problemOf(thrown).status !== 401) throw thrown
      return { hasSession: false }
    }
  },
  component: lazyRouteComponent(() => import('../../screens/mailbox/MailboxFrame.tsx'), 'MailboxFrame'),
})

const mailbox = createRoute({
  getParentRoute: () => mailboxArea,
  path: '/mailbox',
  validateSearch: (search) => present({ q: optionalText(search['q']) }),
  component: lazyRouteComponent(() => import('../../screens/mailbox/MailboxScreen.tsx'), 'MailboxScreen'),
})

const captured = createRoute({
  getParentRoute: () => mailboxArea,
  path: '/mailbox/$id',
  validateSearch: (search) => present({ tab: optionalText(search['tab']) }),
  component: lazyRouteComponent(() => import('../../screens/mailbox/CapturedScreen.tsx'), 'CapturedScreen'),
})

export const mailboxRoutes = mailboxArea.addChildren([mailbox, captured])
