import { createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router'
import { operatorAccess } from '../../api/operatorAccess.ts'
import { logInSearch as operatorLogInSearch } from '../../screens/operator/search.ts'
import { present, safeNext } from '../search.ts'
import { root } from './root.tsx'

/** The screens of people who are not logged in. */
const visitor = createRoute({ getParentRoute: () => root, id: 'visitor', component: Outlet })

const logIn = createRoute({
  getParentRoute: () => visitor,
  path: '/login',
  validateSearch: (search) => present({ next: safeNext(search['next']), ended: search['ended'] === true || undefined }),
  component: lazyRouteComponent(() => import('../../screens/account/LogInScreen.tsx'), 'LogInScreen'),
})

const signUp = createRoute({
  getParentRoute: () => visitor,
  path: '/signup',
  component: lazyRouteComponent(() => import('../../screens/account/SignUpScreen.tsx'), 'SignUpScreen'),
})

const forgot = createRoute({
  getParentRoute: () => visitor,
  path: '/forgot',
  component: lazyRouteComponent(() => import('../../screens/account/ForgotScreen.tsx'), 'ForgotScreen'),
})

const operatorLogIn = createRoute({
  getParentRoute: () => visitor,
  path: '/operator/login',
  validateSearch: operatorLogInSearch,
  component: lazyRouteComponent(() => import('../../screens/operator/OperatorLogInScreen.tsx'), 'OperatorLogInScreen'),
})

const operatorFactor = createRoute({
  getParentRoute: () => visitor,
  path: '/operator/second-factor',
  beforeLoad: async ({ context: { api, queries } }) => {
    const access = await operatorAccess(api, queries)
    if (access?.by !== 'session') throw redirect({ to: '/operator', replace: true })
  },
  component: lazyRouteComponent(() => import('../../screens/operator/SecondFactorScreen.tsx'), 'SecondFactorScreen'),
})

export const visitorRoutes = visitor.addChildren([logIn, signUp, forgot, operatorLogIn, operatorFactor])
