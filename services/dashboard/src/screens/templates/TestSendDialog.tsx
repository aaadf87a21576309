import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { useSession } from '../../api/session.ts'
import { givenVars, type Template, type TemplatePreview, type Vars } from '../../api/templates.ts'
import { Button } from '../../ui/Button.tsx'
import { TextInput } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ProblemNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { useAction } from '../../ui/useAction.ts'

/** Sends the template with its test data. Parts that are not saved are sent as they are rendered. */
export const TestSendDialog = ({
  template,
  vars,
  unsaved,
  onClose,
}: {
  template: Template
  vars: Vars
  /** What is rendered from parts that are not saved; null: all are saved. */
  unsaved: TemplatePreview | null
  onClose: () => void
}) => {
  const api = useApi()
  const { user } = useSession()
  const [to, setTo] = useState(user.email)
  const [from, setFrom] = useState('')
  const { run, isBusy, error } = useAction()
  const [sent, setSent] = useState<string | null>(null)
  const content = unsaved
    ? { subject: unsaved.subject, html: unsaved.html_body, text: unsaved.text_body }
    : { template_id: template.id, template_version: template.version, template_vars: givenVars(vars) }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSent(null)
    run(async () => {
      const sender = from.trim() === '' ? {} : { from_: from.trim() }
      const email = await api.post('/api/v1/emails', { body: { to: [to.trim()], ...sender, ...content } })
      setSent(email.id)
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Send a test"
      description={
        unsaved
          ? 'Sends what the preview shows, with your changes that are not saved. It is real mail and counts.'
          : `Sends version ${template.version} with the test data. It is real mail and counts.`
      }
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <Field label="To">
          <TextInput type="email" autoComplete="off" value={to} onChange={(event) => setTo(event.target.value)} />
        </Field>
        <Field label="From" optional hint="An address of a verified domain. Without it, the shared sender is used.">
          <TextInput autoComplete="off" value={from} onChange={(event) => setFrom(event.target.value)} />
        </Field>
        {error !== null && <ProblemNote error={error} />}
        <div role="status">
          {sent !== null && (
            <p className="text-small">
              Accepted.{' '}
              <Link to="/emails/$id" params={{ id: sent }} className="text-accent underline">
                Follow its delivery
              </Link>
            </p>
          )}
        </div>
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" variant="solid" busy={isBusy} disabled={to.trim() === ''}>
            {sent === null ? 'Send test' : 'Send another'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
