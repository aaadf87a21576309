import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { problemOf, problemText } from '../api/problem.ts'
import { Button } from './Button.tsx'

/** An error inside a form. */
export const ErrorNote = ({ children }: { children: ReactNode }) => (
  <div role="alert" className="flex gap-2 rounded-md bg-bad-tint px-3 py-2 text-small text-bad">
    <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
    <div className="min-w-0">{children}</div>
  </div>
)

/** An error of the service inside a form. Where a quota refuses mail, it has the way to the plan. */
export const ProblemNote = ({ error }: { error: unknown }) => (
  <ErrorNote>
    {problemText(error)}
    {problemOf(error).code === 'quota_exceeded' && (
      <>
        {' '}
        <Link to="/billing" className="font-medium underline underline-offset-2">
          See usage and plans
        </Link>
      </>
    )}
  </ErrorNote>
)

/** Shows the error of a screen that could not be read: what is wrong, what to do, and the id of the request. */
export const ErrorState = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) => {
  const { title, detail, requestId } = problemOf(error)
  return (
    <div role="alert" className="flex flex-col items-start gap-2 rounded-lg border border-line bg-surface p-6">
      <h2 className="font-semibold">{title}</h2>
      <p className="max-w-prose text-muted">{detail}</p>
      {requestId !== null && <p className="text-tiny text-faint">Request {requestId}</p>}
      {onRetry && (
        <Button size="small" className="mt-2" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}
