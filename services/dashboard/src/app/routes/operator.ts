import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { operatorAccess } from '../../api/operatorAccess.ts'
import {
  invoiceListSearch,
  operatorAuditSearch,
  logInSearch as operatorLogInSearch,
  userListSearch,
  workspaceListSearch,
  workspaceSearch,
} from '../../screens/operator/search.ts'
import { present } from '../search.ts'
import { root } from './root.tsx'

/**
 * The screens of the operator, for a tab with the operator's token and for people who are operators. A new one is a
 * route here and a line in `operatorNavigation.ts`.
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
  component: lazyRouteComponent(() => import('../../screens/operator/OperatorFrame.tsx'), 'OperatorFrame'),
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
  component: lazyRouteComponent(() => import('../../screens/operator/WorkspacesScreen.tsx'), 'WorkspacesScreen'),
})

const operatorWorkspace = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/workspaces/$id',
  validateSearch: workspaceSearch,
  component: lazyRouteComponent(() => import('../../screens/operator/WorkspaceScreen.tsx'), 'WorkspaceScreen'),
})

const operatorUsers = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/users',
  validateSearch: userListSearch,
  component: lazyRouteComponent(() => import('../../screens/operator/UsersScreen.tsx'), 'UsersScreen'),
})

const operatorUser = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/users/$id',
  component: lazyRouteComponent(() => import('../../screens/operator/UserScreen.tsx'), 'UserScreen'),
})

const operators = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/operators',
  validateSearch: (search) => present({ add: search['add'] === true || undefined }),
  component: lazyRouteComponent(() => import('../../screens/operator/OperatorsScreen.tsx'), 'OperatorsScreen'),
})

const operatorInvoices = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/invoices',
  validateSearch: invoiceListSearch,
  component: lazyRouteComponent(() => import('../../screens/operator/InvoicesScreen.tsx'), 'InvoicesScreen'),
})

const operatorInvoice = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/invoices/$id',
  component: lazyRouteComponent(
    () => import('../../screens/operator/OperatorInvoiceScreen.tsx'),
    'OperatorInvoiceScreen',
  ),
})

const operatorHealth = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/health',
  component: lazyRouteComponent(() => import('../../screens/operator/HealthScreen.tsx'), 'HealthScreen'),
})

const operatorQueues = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/queues',
  component: lazyRouteComponent(() => import('../../screens/operator/QueuesScreen.tsx'), 'QueuesScreen'),
})

const operatorParked = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/parked',
  component: lazyRouteComponent(() => import('../../screens/operator/ParkedScreen.tsx'), 'ParkedScreen'),
})

const senderDomain = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/sender-domain',
  component: lazyRouteComponent(() => import('../../screens/operator/SenderDomainScreen.tsx'), 'SenderDomainScreen'),
})

const operatorAudit = createRoute({
  getParentRoute: () => operatorArea,
  path: '/operator/audit-log',
  validateSearch: operatorAuditSearch,
  component: lazyRouteComponent(() => import('../../screens/operator/OperatorAuditScreen.tsx'), 'OperatorAuditScreen'),
})

export const operatorRoutes = operatorArea.addChildren([
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
])
