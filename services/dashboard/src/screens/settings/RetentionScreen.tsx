import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/ApiProvider.tsx'
import { useMay } from '../../api/session.ts'
import { workspaceQuery } from '../../api/workspaces.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { Erasures } from './Erasures.tsx'
import { Part } from './Part.tsx'
import { RetentionForm } from './RetentionForm.tsx'

/** Shows how long mail is stored, and removes one person's data. */
export const RetentionScreen = () => {
  const { data: workspace, error, refetch } = useQuery(workspaceQuery(useApi()))
  const mayErase = useMay('admin')
  return (
    <Page title="Data retention" intro="How long mail is stored, and how to remove it earlier.">
      <Part
        title="Content of mail"
        intro="Subject, text, HTML and headers. It applies to mail that you send from now on; an email can choose for itself. Attachments are removed 3 days after the mail is final."
      >
        {error && !workspace ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : (
          <RetentionForm key={workspace ? 'read' : 'reading'} workspace={workspace ?? null} />
        )}
      </Part>
      {mayErase && <Erasures />}
    </Page>
  )
}
