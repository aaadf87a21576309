import { getRouteApi, Link, Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Mark } from '../../app/shell/Mark.tsx'
import { Button } from '../../ui/Button.tsx'

/** Its menus and palette need a session. */
const Shell = lazy(async () => ({ default: (await import('../../app/shell/Shell.tsx')).Shell }))

const route = getRouteApi('/mailbox-area')

/** The frame of the mailbox: that of every screen behind the login, or a bare one for people without a session. */
export const MailboxFrame = () => {
  const { hasSession } = route.useRouteContext()
  return <Suspense>{hasSession ? <Shell /> : <BareFrame />}</Suspense>
}

const BareFrame = () => (
  <div className="min-h-dvh">
    <header className="border-b border-line">
      <div className="mx-auto flex h-14 max-w-6xl items-center gap-2.5 px-4 sm:px-8">
        <Mark className="size-7" />
        <span className="flex-1 font-semibold">Postrider</span>
        <Button asChild size="small">
          <Link to="/login" search={{ next: '/mailbox' }}>
            Log in
          </Link>
        </Button>
      </div>
    </header>
    <main>
      <Suspense>
        <Outlet />
      </Suspense>
    </main>
  </div>
)
