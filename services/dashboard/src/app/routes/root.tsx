import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Link, Outlet } from '@tanstack/react-router'
import type { Api } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'

/** A path without a screen. */
const NotFound = () => (
  <main>
    <Page title="Nothing here" intro="There is no page at this address." width="read">
      <Button asChild>
        <Link to="/">Back to the start</Link>
      </Button>
    </Page>
  </main>
)

/** A screen that failed. */
export const ScreenError = ({ error, reset }: { error: unknown; reset: () => void }) => (
  <div className="mx-auto max-w-3xl p-8">
    <ErrorState error={error} onRetry={reset} />
  </div>
)

/** Context that routes may use before they are shown. */
export type RouterContext = { api: Api; queries: QueryClient }

/** The root of all routes. */
export const root = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: ScreenError,
})
