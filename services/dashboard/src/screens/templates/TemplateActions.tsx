import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, Pencil, Send, Trash2, Undo2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { removeTemplate, type Template, type TemplatePreview, type Vars } from '../../api/templates.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/Menu.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { storeTestData } from './testData.ts'
import type { Draft } from './useDraft.ts'

// Loaded when they are opened: forms are a third of the script of a screen.
const NameDialog = lazy(async () => ({ default: (await import('./NameDialog.tsx')).NameDialog }))
const TestSendDialog = lazy(async () => ({ default: (await import('./TestSendDialog.tsx')).TestSendDialog }))

/** Offers the actions for a template. */
export const TemplateActions = ({
  template,
  draft,
  vars,
  preview,
  isSaving,
  onSave,
}: {
  template: Template
  draft: Draft
  vars: Vars
  /** What the draft is rendered to; null: it is being rendered, or it cannot be. */
  preview: TemplatePreview | null
  isSaving: boolean
  onSave: () => void
}) => {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const [step, setStep] = useState<'test' | 'name' | 'delete' | null>(null)
  const close = () => setStep(null)
  return (
    <>
      <Button disabled={preview === null} onClick={() => setStep('test')}>
        <Send aria-hidden className="size-4" />
        Send test
      </Button>
      <Button variant="solid" busy={isSaving} disabled={!draft.isChanged} onClick={onSave}>
        Save
      </Button>
      <Menu trigger={<IconButton icon={Ellipsis} label="More actions" className="border border-line bg-surface" />}>
        <MenuItem icon={Pencil} onSelect={() => setStep('name')}>
          Name and alias…
        </MenuItem>
        <MenuItem icon={Undo2} disabled={!draft.isChanged} onSelect={() => draft.follow(template)}>
          Discard changes
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={Trash2} danger onSelect={() => setStep('delete')}>
          Delete template…
        </MenuItem>
      </Menu>
      <Suspense>
        {step === 'test' && (
          <TestSendDialog template={template} vars={vars} unsaved={draft.isChanged ? preview : null} onClose={close} />
        )}
        {step === 'name' && <NameDialog template={template} onClose={close} />}
      </Suspense>
      {step === 'delete' && (
        <ConfirmDialog
          title="Delete template"
          action="Delete template"
          name={template.name}
          onClose={close}
          run={async () => {
            await api.delete('/api/v1/templates/{id}', { path: { id: template.id } })
            storeTestData(template.id, null)
            await navigate({ to: '/templates', ignoreBlocker: true })
            await removeTemplate(queries, template.id)
            toast({ title: 'The template was deleted' })
          }}
        >
          <p>
            All its versions are deleted, and sends that name it are refused. Mail that was accepted is still sent,
            scheduled mail included. This cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
