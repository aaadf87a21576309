import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../api/ApiProvider.tsx'
import { problemText } from '../api/problem.ts'
import type { Session } from '../api/types.ts'
import { enterWorkspace } from '../api/workspaces.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { ErrorNote } from '../ui/ErrorState.tsx'

/**
 * Prompts for the workspace that this tab shows, after another tab has switched the session. The tab changes nothing
 * until then: the gateway refuses its requests.
 */
export const OtherWorkspaceDialog = () => {
  const api = useApi()
  const shown = useQueryClient().getQueryData<Session>(['session'])?.workspace
  const { data: current } = useQuery({
    queryKey: ['session', 'elsewhere'],
    queryFn: ({ signal }) => api.get('/api/v1/auth/session', { signal }),
  })
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const goBack = async () => {
    setBusy(true)
    try {
      // The token for changes belongs to the session as it is now.
      if (current) api.use(current)
      await enterWorkspace(api, shown?.id ?? '')
    } catch (thrown) {
      setError(thrown)
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      keepOpen
      onClose={() => {}}
      title="This tab shows another workspace"
      description={`In another tab you opened ${current?.workspace.name ?? 'another workspace'}. Nothing was changed here since then.`}
    >
      {error !== null && <ErrorNote>{problemText(error)}</ErrorNote>}
      <DialogActions>
        {shown && (
          <Button onClick={goBack} busy={isBusy}>
            Go back to {shown.name}
          </Button>
        )}
        <Button variant="solid" onClick={() => location.assign('/')}>
          Continue in {current?.workspace.name ?? 'the other workspace'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
