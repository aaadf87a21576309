import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { workspaceQuery } from '../../api/workspaces.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { DangerZone } from './DangerZone.tsx'
import { Part } from './Part.tsx'

/** The schemas of its fields are a tenth of what a screen may load at first. */
const GeneralForm = lazy(() => import('./GeneralForm.tsx').then(({ GeneralForm }) => ({ default: GeneralForm })))

/** The names of the workspace, what applies to all of its mail, and its end. */
export const GeneralScreen = () => {
  const { data: workspace, error, refetch } = useQuery(workspaceQuery(useApi()))
  return (
    <Page title="General" intro="What applies to the whole workspace.">
      {error && !workspace ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !workspace ? (
        <FormSkeleton />
      ) : (
        // What follows the form is shown with it, so that it does not move.
        <Suspense fallback={<FormSkeleton />}>
          <Part
            title="Workspace"
            actions={
              <span className="-my-1.5 flex items-center text-small text-muted">
                <span className="font-mono text-tiny">{workspace.id}</span>
                <CopyButton text={workspace.id} label="id of the workspace" />
              </span>
            }
          >
            <GeneralForm workspace={workspace} />
          </Part>
          <DangerZone workspace={workspace} />
        </Suspense>
      )}
    </Page>
  )
}

const FormSkeleton = () => (
  <div role="status" aria-label="Reading the settings" className="flex max-w-md flex-col gap-6 pt-12">
    {['name', 'sender', 'address'].map((field) => (
      <div key={field} className="flex flex-col gap-2">
        <Skeleton className="h-3 w-28" />
        <Skeleton className="h-9 w-full" />
      </div>
    ))}
  </div>
)
