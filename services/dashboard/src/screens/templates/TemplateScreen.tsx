import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useBlocker } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { problemText } from '../../api/problem.ts'
import { useMay } from '../../api/session.ts'
import { saveParts, storeTemplate, type Template, templateQuery } from '../../api/templates.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote, ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { Editor } from './Editor.tsx'
import { TemplateActions } from './TemplateActions.tsx'
import { useDraft } from './useDraft.ts'
import { usePreview } from './usePreview.ts'
import { useTestData } from './useTestData.ts'
import { Versions } from './Versions.tsx'

const route = getRouteApi('/member/templates/$id')

/** One template: its editor with the preview, and its versions. */
export const TemplateScreen = () => {
  const { id } = route.useParams()
  const { data: template, error, refetch } = useQuery(templateQuery(useApi(), id))
  if (template) return <TemplateView key={template.id} template={template} />
  return (
    <Page title="Template" heading={<Skeleton className="h-7 w-60 max-w-full" />} back={<Back />}>
      {error ? <ErrorState error={error} onRetry={refetch} /> : <Skeleton className="h-[37.5rem] w-full" />}
    </Page>
  )
}

const Back = () => (
  <Link to="/templates" className="inline-flex items-center gap-1 text-muted hover:text-ink">
    <ChevronLeft aria-hidden className="size-4" />
    Templates
  </Link>
)

const TemplateView = ({ template }: { template: Template }) => {
  const { tab = 'editor', version } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMay('member')
  const draft = useDraft(template)
  const data = useTestData(template.id, draft.parts)
  const made = usePreview(draft.parts, data.vars)
  const { save, isSaving, error } = useSave(template, draft)
  const name = template.alias ?? template.id
  return (
    <Page
      title={template.name}
      back={<Back />}
      intro={
        <span className="flex flex-wrap items-center gap-x-2">
          <span>Version {template.version}, named</span>
          <span className="inline-flex items-center gap-0.5">
            <code className="font-mono text-small text-ink">{name}</code>
            <CopyButton text={name} label={template.alias === null ? 'id' : 'alias'} />
          </span>
        </span>
      }
      actions={
        mayWrite && (
          <TemplateActions
            template={template}
            draft={draft}
            vars={data.vars}
            preview={made.isCurrent ? (made.preview ?? null) : null}
            isSaving={isSaving}
            onSave={save}
          />
        )
      }
    >
      <div className="flex flex-col gap-4">
        {error !== null && <ErrorNote>{error}</ErrorNote>}
        {draft.isBehind && (
          <ErrorNote>
            Version {template.version} was stored while you were writing. If you save, your texts become the version
            after it; nothing of it is merged. Compare them in the versions.
          </ErrorNote>
        )}
        <Tabs
          label="Views of the template"
          value={tab}
          onChange={(next) => navigate({ search: next === 'editor' ? {} : { tab: next }, replace: true })}
          tabs={[
            { name: 'editor', label: 'Editor' },
            { name: 'versions', label: 'Versions' },
          ]}
        >
          {tab === 'editor' ? (
            <Editor template={template} draft={draft} data={data} made={made} readOnly={!mayWrite} />
          ) : (
            <Versions
              template={template}
              chosen={version}
              mayWrite={mayWrite}
              onChoose={(chosen) => navigate({ search: { tab: 'versions', version: chosen }, replace: true })}
            />
          )}
        </Tabs>
      </div>
      <LeaveDialog isChanged={draft.isChanged} />
    </Page>
  )
}

/** Stores the draft as the next version, by button or Ctrl S. */
const useSave = (template: Template, draft: ReturnType<typeof useDraft>) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const mayWrite = useMay('member')
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const save = async () => {
    setSaving(true)
    setError(null)
    try {
      const stored = await saveParts(api, template.id, draft.parts)
      draft.follow(stored)
      await storeTemplate(queries, stored)
      const [detail] = stored.notices
      toast({ title: `Version ${stored.version} was saved`, ...(detail !== undefined && { tone: 'warn', detail }) })
    } catch (thrown) {
      setError(problemText(thrown))
    } finally {
      setSaving(false)
    }
  }
  const canSave = mayWrite && draft.isChanged && !isSaving
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      if (canSave) save()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
  return { save, isSaving, error }
}

/** Asks before the person leaves the screen with changes that are not saved. */
const LeaveDialog = ({ isChanged }: { isChanged: boolean }) => {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Dialog open onClose={blocker.reset} title="Leave without saving?">
      <p className="text-muted">Your changes of this template are not saved.</p>
      <DialogActions>
        <Button onClick={blocker.reset}>Stay</Button>
        <Button variant="danger" onClick={blocker.proceed}>
          Leave
        </Button>
      </DialogActions>
    </Dialog>
  )
}
