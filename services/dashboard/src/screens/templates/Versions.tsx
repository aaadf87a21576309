import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type Part, partsOf, storeTemplate, type Template, versionPages, versionQuery } from '../../api/templates.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { Skeleton, SkeletonRows } from '../../ui/Skeleton.tsx'
import { useToast } from '../../ui/Toast.tsx'

const DiffView = lazy(async () => ({ default: (await import('./DiffView.tsx')).DiffView }))

/** The versions of a template; of the chosen one, what it changed, and the way back to it. */
export const Versions = ({
  template,
  chosen,
  onChoose,
  mayWrite,
}: {
  template: Template
  chosen: number | undefined
  onChoose: (version: number) => void
  mayWrite: boolean
}) => {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    versionPages(useApi(), template.id),
  )
  const versions = data?.pages.flatMap((page) => page.data)
  const shown = chosen ?? template.version
  if (error && !versions) return <ErrorState error={error} onRetry={refetch} />
  if (!versions) return <SkeletonRows label="Reading versions" rows={3} />
  return (
    <div className="grid gap-6 lg:grid-cols-[14rem_minmax(0,1fr)]">
      <nav aria-label="Versions" className="flex flex-col gap-0.5 max-lg:max-h-60 max-lg:overflow-y-auto">
        {versions.map(({ version, updated_at }) => (
          <button
            key={version}
            type="button"
            aria-current={version === shown}
            onClick={() => onChoose(version)}
            className="flex min-h-9 items-baseline justify-between gap-3 rounded-md px-2.5 py-1.5 text-left text-small transition-colors hover:bg-hover aria-[current=true]:bg-hover"
          >
            <span className="font-medium">
              Version {version}
              {version === template.version && <span className="font-normal text-muted"> (newest)</span>}
            </span>
            <RelativeTime at={updated_at} className="text-tiny text-muted" />
          </button>
        ))}
        {hasNextPage && (
          <Button size="small" variant="quiet" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Show older versions
          </Button>
        )}
      </nav>
      <OneVersion key={shown} template={template} version={shown} mayWrite={mayWrite} />
    </div>
  )
}

const partNames: readonly (readonly [Part, string])[] = [
  ['subject', 'Subject'],
  ['html_body', 'HTML'],
  ['text_body', 'Text'],
]

const OneVersion = ({ template, version, mayWrite }: { template: Template; version: number; mayWrite: boolean }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [isDialogOpen, setDialogOpen] = useState(false)
  const [against, setAgainst] = useState<'previous' | 'newest'>('previous')
  const isNewest = version === template.version
  const other = against === 'newest' ? template.version : version - 1
  const after = useQuery(versionQuery(api, template.id, version))
  const before = useQuery({ ...versionQuery(api, template.id, other), enabled: other > 0 })
  const error = after.error ?? before.error
  return (
    <section aria-label={`Version ${version}`} className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        {!isNewest && (
          <div className="flex gap-1">
            {(['previous', 'newest'] as const).map((name) => (
              <Button
                key={name}
                size="small"
                variant="quiet"
                aria-pressed={against === name}
                className="aria-pressed:bg-hover aria-pressed:text-ink"
                onClick={() => setAgainst(name)}
              >
                {name === 'previous' ? 'Changes of this version' : 'Compared with the newest'}
              </Button>
            ))}
          </div>
        )}
        {!isNewest && mayWrite && (
          <Button size="small" className="ml-auto" onClick={() => setDialogOpen(true)}>
            Restore version {version}
          </Button>
        )}
      </div>
      {error ? (
        <ErrorState error={error} />
      ) : !after.data || (other > 0 && !before.data) ? (
        <Skeleton className="h-64 w-full" />
      ) : (
        <Differences before={before.data ?? null} after={after.data} />
      )}
      {isDialogOpen && (
        <ConfirmDialog
          title={`Restore version ${version}`}
          action="Restore"
          onClose={() => setDialogOpen(false)}
          run={async () => {
            const path = { id: template.id }
            await storeTemplate(queries, await api.post('/api/v1/templates/{id}/restore', { path, body: { version } }))
            toast({ title: `Version ${version} is the newest version again` })
          }}
        >
          <p>
            Its subject and bodies are stored as the next version. Name and alias stay, and no version is removed. Sends
            that name no version use it immediately.
          </p>
        </ConfirmDialog>
      )}
    </section>
  )
}

const Differences = ({ before, after }: { before: Template | null; after: Template }) => {
  const [old, now] = [before && partsOf(before), partsOf(after)]
  const changed = partNames.filter(([part]) => (old?.[part] ?? '') !== now[part])
  if (changed.length === 0) {
    return <p className="py-8 text-center text-muted">Subject and bodies are the same; name or alias may differ.</p>
  }
  return changed.map(([part, name]) => (
    <div key={part}>
      <h2 className="mb-1.5 text-small font-medium">{name}</h2>
      <Suspense fallback={<Skeleton className="h-32 w-full" />}>
        <DiffView label={`Changes: ${name}`} before={old?.[part] ?? ''} after={now[part]} />
      </Suspense>
    </div>
  ))
}
