import { createRouter } from '@tanstack/react-router'
import { mailboxRoutes } from './routes/mailbox.ts'
import { member, memberScreens } from './routes/member.ts'
import { operatorRoutes } from './routes/operator.ts'
import { type RouterContext, root, ScreenError } from './routes/root.tsx'
import { settingsRoutes } from './routes/settings.ts'
import { visitorRoutes } from './routes/visitor.ts'

const tree = root.addChildren([
  visitorRoutes,
  member.addChildren([...memberScreens, settingsRoutes]),
  mailboxRoutes,
  operatorRoutes,
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
