import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { problemOf } from '../../api/problem.ts'
import { needsTotp, sessionQuery } from '../../api/session.ts'
import { anyEmailQuery } from '../../api/stats.ts'
import { billingSearch } from '../../screens/billing/search.ts'
import { emailSearch } from '../../screens/emails/search.ts'
import { eventSearch } from '../../screens/events/search.ts'
import { overviewSearch } from '../../screens/overview/range.ts'
import { templateSearch } from '../../screens/templates/search.ts'
import { deliverySearch } from '../../screens/webhooks/search.ts'
import { optionalText, present, safeNext } from '../search.ts'
import { isAlwaysOpen } from '../settingsSections.ts'
import { root } from './root.tsx'

/** The screens behind the login, in the frame with the navigation. */
export const member = createRoute({
  getParentRoute: () => root,
  id: 'member',
  beforeLoad: async ({ context: { api, queries }, location }) => {
    const session = await queries.ensureQueryData(sessionQuery(api)).catch((thrown: unknown) => {
      if (problemOf(thrown).status !== 401) throw thrown
      throw redirect({ to: '/login', search: present({ next: safeNext(location.href) }) })
    })
    // The API would refuse what the other screens read.
    if (needsTotp(session) && !isAlwaysOpen(location.pathname)) throw redirect({ to: '/settings/two-factor' })
  },
  // Its menus and palette are not loaded for the login.
  component: lazyRouteComponent(() => import('../shell/Shell.tsx'), 'Shell'),
})

/** The overview, or the first steps of a workspace that has sent nothing. */
const home = createRoute({
  getParentRoute: () => member,
  path: '/',
  beforeLoad: async ({ context: { api, queries } }) => {
    const hasSent = await queries.fetchQuery(anyEmailQuery(api))
    throw redirect({ to: hasSent ? '/overview' : '/getting-started', replace: true })
  },
})

const overview = createRoute({
  getParentRoute: () => member,
  path: '/overview',
  validateSearch: overviewSearch,
  component: lazyRouteComponent(() => import('../../screens/overview/OverviewScreen.tsx'), 'OverviewScreen'),
})

const gettingStarted = createRoute({
  getParentRoute: () => member,
  path: '/getting-started',
  component: lazyRouteComponent(
    () => import('../../screens/gettingStarted/GettingStartedScreen.tsx'),
    'GettingStartedScreen',
  ),
})

const emails = createRoute({
  getParentRoute: () => member,
  path: '/emails',
  validateSearch: emailSearch,
  component: lazyRouteComponent(() => import('../../screens/emails/EmailsScreen.tsx'), 'EmailsScreen'),
})

const email = createRoute({
  getParentRoute: () => member,
  path: '/emails/$id',
  validateSearch: (search) => present({ tab: optionalText(search['tab']) }),
  component: lazyRouteComponent(() => import('../../screens/emails/EmailScreen.tsx'), 'EmailScreen'),
})

const keys = createRoute({
  getParentRoute: () => member,
  path: '/keys',
  validateSearch: (search) => present({ create: search['create'] === true || undefined }),
  component: lazyRouteComponent(() => import('../../screens/keys/KeysScreen.tsx'), 'KeysScreen'),
})

const domains = createRoute({
  getParentRoute: () => member,
  path: '/domains',
  validateSearch: (search) => present({ create: search['create'] === true || undefined }),
  component: lazyRouteComponent(() => import('../../screens/domains/DomainsScreen.tsx'), 'DomainsScreen'),
})

const domain = createRoute({
  getParentRoute: () => member,
  path: '/domains/$id',
  component: lazyRouteComponent(() => import('../../screens/domains/DomainScreen.tsx'), 'DomainScreen'),
})

const templates = createRoute({
  getParentRoute: () => member,
  path: '/templates',
  validateSearch: (search) => present({ create: search['create'] === true || undefined }),
  component: lazyRouteComponent(() => import('../../screens/templates/TemplatesScreen.tsx'), 'TemplatesScreen'),
})

const template = createRoute({
  getParentRoute: () => member,
  path: '/templates/$id',
  validateSearch: templateSearch,
  component: lazyRouteComponent(() => import('../../screens/templates/TemplateScreen.tsx'), 'TemplateScreen'),
})

const webhooks = createRoute({
  getParentRoute: () => member,
  path: '/webhooks',
  validateSearch: (search) => present({ create: search['create'] === true || undefined }),
  component: lazyRouteComponent(() => import('../../screens/webhooks/WebhooksScreen.tsx'), 'WebhooksScreen'),
})

const webhook = createRoute({
  getParentRoute: () => member,
  path: '/webhooks/$id',
  validateSearch: deliverySearch,
  component: lazyRouteComponent(() => import('../../screens/webhooks/WebhookScreen.tsx'), 'WebhookScreen'),
})

const events = createRoute({
  getParentRoute: () => member,
  path: '/events',
  validateSearch: eventSearch,
  component: lazyRouteComponent(() => import('../../screens/events/EventsScreen.tsx'), 'EventsScreen'),
})

const billing = createRoute({
  getParentRoute: () => member,
  path: '/billing',
  validateSearch: billingSearch,
  component: lazyRouteComponent(() => import('../../screens/billing/BillingScreen.tsx'), 'BillingScreen'),
})

const invoice = createRoute({
  getParentRoute: () => member,
  path: '/billing/invoices/$id',
  component: lazyRouteComponent(() => import('../../screens/billing/InvoiceScreen.tsx'), 'InvoiceScreen'),
})

export const memberScreens = [
  home,
  overview,
  gettingStarted,
  emails,
  email,
  keys,
  domains,
  domain,
  templates,
  template,
  webhooks,
  webhook,
  events,
  billing,
  invoice,
] as const
