import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { LayoutTemplate, Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { useMay } from '../../api/session.ts'
import { templatePages } from '../../api/templates.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel, Table } from '../../ui/Table.tsx'
import { templateColumns } from './templateColumns.tsx'

const route = getRouteApi('/member/templates')

/** Loaded when it is opened: forms are a third of the script of a screen. */
const NameDialog = lazy(async () => ({ default: (await import('./NameDialog.tsx')).NameDialog }))

/** The templates of the workspace. */
export const TemplatesScreen = () => {
  const { create } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMay('member')
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    templatePages(useApi()),
  )
  const templates = data?.pages.flatMap((page) => page.data)
  const setCreating = (isCreating: boolean) => navigate({ search: isCreating ? { create: true } : {}, replace: true })
  return (
    <Page
      title="Templates"
      intro="A subject and a body with placeholders. A send names the template and has the values."
      actions={
        mayWrite && (
          <Button variant="solid" onClick={() => setCreating(true)}>
            <Plus aria-hidden className="size-4" />
            Create template
          </Button>
        )
      }
    >
      <Panel className="overflow-hidden">
        {error && !templates ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : !templates ? (
          <SkeletonRows label="Reading templates" rows={4} />
        ) : templates.length === 0 ? (
          <EmptyState
            icon={LayoutTemplate}
            title="No template yet"
            action={
              mayWrite && (
                <Button variant="solid" onClick={() => setCreating(true)}>
                  Create your first template
                </Button>
              )
            }
          >
            Write an email once, with placeholders such as <code className="font-mono text-small">{'{{name}}'}</code>.
            Your programs then send only the values. {!mayWrite && 'A member of the workspace can create one.'}
          </EmptyState>
        ) : (
          <Table label="Templates" columns={templateColumns} rows={templates} rowKey={(template) => template.id} />
        )}
      </Panel>
      {hasNextPage && (
        <div className="mt-3">
          <Button size="small" variant="quiet" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Show older templates
          </Button>
        </div>
      )}
      <Suspense>{create && mayWrite && <NameDialog onClose={() => setCreating(false)} />}</Suspense>
    </Page>
  )
}
