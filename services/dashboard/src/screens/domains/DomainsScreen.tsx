import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Globe, Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { domainPages } from '../../api/domains.ts'
import { useMay } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel, Table } from '../../ui/Table.tsx'
import { domainColumns } from './domainColumns.tsx'

/** Loaded when it opens: it contains the schema of a request body. */
const AddDomainDialog = lazy(() =>
  import('./AddDomainDialog.tsx').then((module) => ({ default: module.AddDomainDialog })),
)

const route = getRouteApi('/member/domains')

/** The sending domains of the workspace, with the state of their records. */
export const DomainsScreen = () => {
  const { create } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMay('admin')
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    domainPages(useApi()),
  )
  const domains = data?.pages.flatMap((page) => page.data)
  const setAdding = (isAdding: boolean) => navigate({ search: isAdding ? { create: true } : {}, replace: true })
  return (
    <Page
      title="Domains"
      intro="Send from addresses of your own domain. Receivers trust mail that its DNS vouches for."
      actions={
        mayWrite && (
          <Button variant="solid" onClick={() => setAdding(true)}>
            <Plus aria-hidden className="size-4" />
            Add domain
          </Button>
        )
      }
    >
      <Panel className="overflow-hidden">
        {error && !domains ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : !domains ? (
          <SkeletonRows label="Reading domains" rows={4} />
        ) : domains.length === 0 ? (
          <EmptyState
            icon={Globe}
            title="No domain yet"
            action={
              mayWrite && (
                <Button variant="solid" onClick={() => setAdding(true)}>
                  Add your domain
                </Button>
              )
            }
          >
            {mayWrite
              ? 'Until then mail leaves from the shared sender address. Add the domain that is after the “@” of your addresses, and set its records at your DNS provider.'
              : 'Mail leaves from the shared sender address. An owner or an admin of the workspace can add a domain.'}
          </EmptyState>
        ) : (
          <Table label="Domains" columns={domainColumns} rows={domains} rowKey={(domain) => domain.id} />
        )}
      </Panel>
      {hasNextPage && (
        <div className="mt-3">
          <Button size="small" variant="quiet" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Show older domains
          </Button>
        </div>
      )}
      <Suspense>{create && mayWrite && <AddDomainDialog onClose={() => setAdding(false)} />}</Suspense>
    </Page>
  )
}
