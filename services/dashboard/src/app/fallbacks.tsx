import { Link } from '@tanstack/react-router'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Page } from '../ui/Page.tsx'

/** A path without a screen. */
export const NotFound = () => (
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
