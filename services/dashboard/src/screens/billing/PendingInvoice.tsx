import type { ReactNode } from 'react'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { Skeleton, SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'

/** The screen of an invoice until it is read. @param error null: it is being read */
export const PendingInvoice = ({ error, onRetry, back }: { error: unknown; onRetry: () => void; back: ReactNode }) => (
  <Page title="Invoice" width="read" heading={<Skeleton className="h-7 w-56 max-w-full" />} back={back}>
    {error ? (
      <ErrorState error={error} onRetry={onRetry} />
    ) : (
      <Panel>
        <SkeletonRows label="Reading the invoice" rows={3} />
      </Panel>
    )}
  </Page>
)
