import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { auditSearch } from '../../screens/settings/auditSearch.ts'
import { optionalText, present } from '../search.ts'
import { member } from './member.ts'

const settings = createRoute({
  getParentRoute: () => member,
  path: '/settings',
  component: lazyRouteComponent(() => import('../../screens/settings/SettingsFrame.tsx'), 'SettingsFrame'),
})

const general = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: lazyRouteComponent(() => import('../../screens/settings/GeneralScreen.tsx'), 'GeneralScreen'),
})

const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  validateSearch: (search) => present({ invite: search['invite'] === true || undefined }),
  component: lazyRouteComponent(() => import('../../screens/settings/MembersScreen.tsx'), 'MembersScreen'),
})

const security = createRoute({
  getParentRoute: () => settings,
  path: '/security',
  component: lazyRouteComponent(() => import('../../screens/settings/SecurityScreen.tsx'), 'SecurityScreen'),
})

const retention = createRoute({
  getParentRoute: () => settings,
  path: '/retention',
  validateSearch: (search) => present({ erasure: optionalText(search['erasure']) }),
  component: lazyRouteComponent(() => import('../../screens/settings/RetentionScreen.tsx'), 'RetentionScreen'),
})

const auditLog = createRoute({
  getParentRoute: () => settings,
  path: '/audit-log',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('../../screens/settings/AuditLogScreen.tsx'), 'AuditLogScreen'),
})

const profile = createRoute({
  getParentRoute: () => settings,
  path: '/account',
  component: lazyRouteComponent(() => import('../../screens/account/ProfileScreen.tsx'), 'ProfileScreen'),
})

const twoFactor = createRoute({
  getParentRoute: () => settings,
  path: '/two-factor',
  component: lazyRouteComponent(() => import('../../screens/account/TwoFactorScreen.tsx'), 'TwoFactorScreen'),
})

const sessions = createRoute({
  getParentRoute: () => settings,
  path: '/sessions',
  component: lazyRouteComponent(() => import('../../screens/account/SessionsScreen.tsx'), 'SessionsScreen'),
})

const notifications = createRoute({
  getParentRoute: () => settings,
  path: '/notifications',
  component: lazyRouteComponent(() => import('../../screens/account/NotificationsScreen.tsx'), 'NotificationsScreen'),
})

const ownWorkspaces = createRoute({
  getParentRoute: () => settings,
  path: '/workspaces',
  validateSearch: (search) => present({ create: search['create'] === true || undefined }),
  component: lazyRouteComponent(() => import('../../screens/account/OwnWorkspacesScreen.tsx'), 'OwnWorkspacesScreen'),
})

export const settingsRoutes = settings.addChildren([
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
])
