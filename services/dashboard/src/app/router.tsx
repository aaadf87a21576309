import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { Api } from '../api/client.ts'
import { operatorAccess } from '../api/operatorAccess.ts'
import { problemOf } from '../api/problem.ts'
import { needsTotp, sessionQuery } from '../api/session.ts'
import { anyEmailQuery } from '../api/stats.ts'
import { billingSearch } from '../screens/billing/search.ts'
import { emailSearch } from '../screens/emails/search.ts'
import { eventSearch } from '../screens/events/search.ts'
import {
  invoiceListSearch,
  operatorAuditSearch,
  logInSearch as operatorLogInSearch,
  userListSearch,
  workspaceListSearch,
  workspaceSearch,
} from '../screens/operator/search.ts'
import { overviewSearch } from '../screens/overview/range.ts'
import { auditSearch } from '../screens/settings/auditSearch.ts'
import { templateSearch } from '../screens/templates/search.ts'
import { deliverySearch } from '../screens/webhooks/search.ts'
import { NotFound, ScreenError } from './fallbacks.tsx'
import { optionalText, present, safeNext } from './search.ts'
import { isAlwaysOpen } from './settingsSections.ts'

/** What routes may use before they are shown. */
type RouterContext = { api: Api; queries: QueryClient }

const root = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: ScreenError,
})

/** The screens of people who are not logged in. */
const visitor = createRoute({ getParentRoute: () => root, id: 'visitor', component: Outlet })

const logIn = createRoute({
  getParentRoute: () => visitor,
  path: '/login',
  validateSearch: (search) => present({ next: safeNext(search['next']), ended: search['ended'] === true || undefined }),
  component: lazyRouteComponent(() => import('../screens/account/LogInScreen.tsx'), 'LogInScreen'),
})

const signUp = createRoute({
  getParentRoute: () => visitor,
  path: '/signup',
  component: lazyRouteComponent(() => import('../screens/account/SignUpScreen.tsx'), 'SignUpScreen'),
})

const forgot = createRoute({
  getParentRoute: () => visitor,
  path: '/forgot',
  component: lazyRouteComponent(() => import('../screens/account/ForgotScreen.tsx'), 'ForgotScreen'),
})

/** The screens behind the login, in the frame with the navigation. */
const member = createRoute({
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
  component: lazyRouteComponent(() => import('./shell/Shell.tsx'), 'Shell'),
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
  component: lazyRouteComponent(() => import('../screens/overview/OverviewScreen.tsx'), 'OverviewScreen'),
})

const gettingStarted = createRoute({
  getParentRoute: () => member,
  path: '/getting-started',
  component: lazyRouteComponent(
    () => import('../screens/gettingStarted/GettingStartedScreen.tsx'),
    'GettingStartedScreen',
  ),
})

const emails = createRoute({
  getParentRoute: () => member,
  path: '/emails',
  validateSearch: emailSearch,
  component: lazyRouteComponent(() => import('../screens/emails/EmailsScreen.tsx'), 'EmailsScreen'),
})

const email = createRoute({
  getParentRoute: () => member,
  path: '/emails/$id',
  validateSearch: (search) => present({ tab: optionalText(search['tab']) }),
  component: lazyRouteComponent(() => import('../screens/emails/EmailScreen.tsx'), 'EmailScreen'),
})

const keys = createRoute({
  getParentRoute: () => member,
  path: '/keys',
  validateSearch: (search) => present({ create: search['create'] === true || undefined }),
  component: lazyRouteComponent(() => import('../screens/keys/KeysScreen.tsx'), 'KeysScreen'),
})

const domains = createRoute({
  getParentRoute: () => member,
  path: '/domains',
  validateSearch: (search) => present({ create: search['create'] === true || undefined }),
  component: lazyRouteComponent(() => import('../screens/domains/DomainsScreen.tsx'), 'DomainsScreen'),
})

const domain = createRoute({
  getParentRoute: () => member,
  path: '/domains/$id',
  component: lazyRouteComponent(() => import('../screens/domains/DomainScreen.tsx'), 'DomainScreen'),
})

const templates = createRoute({
  getParentRoute: () => member,
  path: '/templates',
  validateSearch: (search) => present({ create: search['create'] === true || undefined }),
  component: lazyRouteComponent(() => import('../screens/templates/TemplatesScreen.tsx'), 'TemplatesScreen'),
})

const template = createRoute({
  getParentRoute: () => member,
  path: '/templates/$id',
  validateSearch: templateSearch,
  component: lazyRouteComponent(() => import('../screens/templates/TemplateScreen.tsx'), 'TemplateScreen'),
})

const webhooks = createRoute({
  getParentRoute: () => member,
  path: '/webhooks',
  validateSearch: (search) => present({ create: search['create'] === true || undefined }),
  component: lazyRouteComponent(() => import('../screens/webhooks/WebhooksScreen.tsx'), 'WebhooksScreen'),
})

const webhook = createRoute({
  getParentRoute: () => member,
  path: '/webhooks/$id',
  validateSearch: deliverySearch,
  component: lazyRouteComponent(() => import('../screens/webhooks/WebhookScreen.tsx'), 'WebhookScreen'),
})

const events = createRoute({
  getParentRoute: () => member,
  path: '/events',
  validateSearch: eventSearch,
  component: lazyRouteComponent(() => import('../screens/events/EventsScreen.tsx'), 'EventsScreen'),
})

/**
 * The mailbox: for owners in the frame with the navigation, and without a session for people on the machine of the service,
 * as the service decides.
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
  component: lazyRouteComponent(() => import('../screens/mailbox/MailboxFrame.tsx'), 'MailboxFrame'),
})

const mailbox = createRoute({
  getParentRoute: () => mailboxArea,
  path: '/mailbox',
  validateSearch: (search) => present({ q: optionalText(search['q']) }),
  component: lazyRouteComponent(() => import('../screens/mailbox/MailboxScreen.tsx'), 'MailboxScreen'),
})

const captured = createRoute({
  getParentRoute: () => mailboxArea,
  path: '/mailbox/$id',
  validateSearch: (search) => present({ tab: optionalText(search['tab']) }),
  component: lazyRouteComponent(() => import('../screens/mailbox/CapturedScreen.tsx'), 'CapturedScreen'),
})

const settings = createRoute({
  getParentRoute: () => member,
  path: '/settings',
  component: lazyRouteComponent(() => import('../screens/settings/SettingsFrame.tsx'), 'SettingsFrame'),
})

const general = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: lazyRouteComponent(() => import('../screens/settings/GeneralScreen.tsx'), 'GeneralScreen'),
})

const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  validateSearch: (search) => present({ invite: search['invite'] === true || undefined }),
  component: lazyRouteComponent(() => import('../screens/settings/MembersScreen.tsx'), 'MembersScreen'),
})

const security = createRoute({
  getParentRoute: () => settings,
  path: '/security',
  component: lazyRouteComponent(() => import('../screens/settings/SecurityScreen.tsx'), 'SecurityScreen'),
})

const retention = createRoute({
  getParentRoute: () => settings,
  path: '/retention',
  validateSearch: (search) => present({ erasure: optionalText(search['erasure']) }),
  component: lazyRouteComponent(() => import('../screens/settings/RetentionScreen.tsx'), 'RetentionScreen'),
})

const auditLog = createRoute({
  getParentRoute: () => settings,
  path: '/audit-log',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('../screens/settings/AuditLogScreen.tsx'), 'AuditLogScreen'),
})

const profile = createRoute({
  getParentRoute: () => settings,
  path: '/account',
  component: lazyRouteComponent(() => import('../screens/account/ProfileScreen.tsx'), 'ProfileScreen'),
})

const twoFactor = createRoute({
  getParentRoute: () => settings,
  path: '/two-factor',
  component: lazyRouteComponent(() => import('../screens/account/TwoFactorScreen.tsx'), 'TwoFactorScreen'),
})

const sessions = createRoute({
  getParentRoute: () => settings,
  path: '/sessions',
  component: lazyRouteComponent(() => import('../screens/account/SessionsScreen.tsx'), 'SessionsScreen'),
})

const notifications = createRoute({
  getParentRoute: () => settings,
  path: '/notifications',
  component: lazyRouteComponent(() => import('../screens/account/NotificationsScreen.tsx'), 'NotificationsScreen'),
})

const ownWorkspaces = createRoute({
  getParentRoute: () => settings,
  path: '/workspaces',
  validateSearch: (search) => present({ create: search['create'] === true || undefined }),
  component: lazyRouteComponent(() => import('../screens/account/OwnWorkspacesScreen.tsx'), 'OwnWorkspacesScreen'),
})

const billing = createRoute({
  getParentRoute: () => member,
  path: '/billing',
  validateSearch: billingSearch,
  component: lazyRouteComponent(() => import('../screens/billing/BillingScreen.tsx'), 'BillingScreen'),
})

const invoice = createRoute({
  getParentRoute: () => member,
  path: '/billing/invoices/$id',
  component: lazyRouteComponent(() => import('../screens/billing/InvoiceScreen.tsx'), 'InvoiceScreen'),
})

const operatorLogIn = createRoute({
  getParentRoute: () => visitor,
  path: '/operator/login',
  validateSearch: operatorLogInSearch,
  component: lazyRouteComponent(() => import('../screens/operator/OperatorLogInScreen.tsx'), 'OperatorLogInScreen'),
})

const operatorFactor = createRoute({
  getParentRoute: () => visitor,
  path: '/operator/second-factor',
  beforeLoad: async ({ context: { api, queries } }) => {
    const access = await operatorAccess(api, queries)
    if (access?.by !== 'session') throw redirect({ to: '/operator', replace: true })
  },
  component: lazyRouteComponent(() => import('../screens/operator/SecondFactorScreen.tsx'), 'SecondFactorScreen'),
})

/**
 * The screens of the operator, for a tab with the operator's token and for people who are operators. A new one is a route
 * here and a line in `operatorNavigation.ts`.
 */
const operatorArea = createRoute({
  getParentRoute: () => root,
  id: 'operator-area',
  beforeLoad: async ({ context: { api, queries }, location }) => {
    const access = await operatorAccess(api, queries)
    if (access === null) throw redirect({ to: '/operator/login', search: operatorLogInSearch({ next: location.href }) })
    // The API would refuse what the screens read.
    if (access.by === 'session' && !access.session.user.totp_enabled) throw redirect({ to: '/operator/second-factor' })
    return { access }
  },
  component: lazyRouteComponent(() => import('../screens/operator/OperatorFrame.tsx'), 'OperatorFrame'),
})

const operator = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator',
  beforeLoad: () => {
    throw redirect({ to: '/operator/workspaces', replace: true })
  },
})

const operatorWorkspaces = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/workspaces',
  validateSearch: workspaceListSearch,
  component: lazyRouteComponent(() => import('../screens/operator/WorkspacesScreen.tsx'), 'WorkspacesScreen'),
})

const operatorWorkspace = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/workspaces/$id',
  validateSearch: workspaceSearch,
  component: lazyRouteComponent(() => import('../screens/operator/WorkspaceScreen.tsx'), 'WorkspaceScreen'),
})

const operatorUsers = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/users',
  validateSearch: userListSearch,
  component: lazyRouteComponent(() => import('../screens/operator/UsersScreen.tsx'), 'UsersScreen'),
})

const operatorUser = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/users/$id',
  component: lazyRouteComponent(() => import('../screens/operator/UserScreen.tsx'), 'UserScreen'),
})

const operators = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/operators',
  validateSearch: (search) => present({ add: search['add'] === true || undefined }),
  component: lazyRouteComponent(() => import('../screens/operator/OperatorsScreen.tsx'), 'OperatorsScreen'),
})

const operatorInvoices = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/invoices',
  validateSearch: invoiceListSearch,
  component: lazyRouteComponent(() => import('../screens/operator/InvoicesScreen.tsx'), 'InvoicesScreen'),
})

const operatorInvoice = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/invoices/$id',
  component: lazyRouteComponent(() => import('../screens/operator/OperatorInvoiceScreen.tsx'), 'OperatorInvoiceScreen'),
})

const operatorHealth = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/health',
  component: lazyRouteComponent(() => import('../screens/operator/HealthScreen.tsx'), 'HealthScreen'),
})

const operatorQueues = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/queues',
  component: lazyRouteComponent(() => import('../screens/operator/QueuesScreen.tsx'), 'QueuesScreen'),
})

const operatorParked = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/parked',
  component: lazyRouteComponent(() => import('../screens/operator/ParkedScreen.tsx'), 'ParkedScreen'),
})

const senderDomain = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/sender-domain',
  component: lazyRouteComponent(() => import('../screens/operator/SenderDomainScreen.tsx'), 'SenderDomainScreen'),
})

const operatorAudit = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/audit-log',
  validateSearch: operatorAuditSearch,
  component: lazyRouteComponent(() => import('../screens/operator/OperatorAuditScreen.tsx'), 'OperatorAuditScreen'),
})

const tree = root.addChildren([
  visitor.addChildren([logIn, signUp, forgot, operatorLogIn, operatorFactor]),
  member.addChildren([
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
    settings.addChildren([
      general,
      members,
      security,
      retention,
      auditLog,
      profile,
      twoFactor,
      sessions,
      notifications,
      ownWorkspaces,
    ]),
    billing,
    invoice,
  ]),
  mailboxArea.addChildren([mailbox, captured]),
  operatorArea.addChildren([
    operator,
    operatorWorkspaces,
    operatorWorkspace,
    operatorUsers,
    operatorUser,
    operators,
    operatorInvoices,
    operatorInvoice,
    operatorHealth,
    operatorQueues,
    operatorParked,
    senderDomain,
    operatorAudit,
  ]),
])

/** Every screen of the dashboard. Each is loaded when it is first opened. */
export const createAppRouter = (context: RouterContext) =>
  createRouter({
    routeTree: tree,
    context,
    defaultPreload: 'intent',
    defaultErrorComponent: ScreenError,
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
