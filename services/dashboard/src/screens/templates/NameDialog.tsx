import { Alias, Name } from '@postrider/contracts/http/templateName.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { useApi } from '../../api/ApiProvider.tsx'
import { storeTemplate, type Template } from '../../api/templates.ts'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { TextInput } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { useToast } from '../../ui/Toast.tsx'

type Values = { name: string; alias: string }

/** What a new template contains, to be replaced. */
const firstParts = {
  subject: 'Welcome, {{name}}',
  html_body: `<h1>Welcome, {{name}}</h1>
<p>Your account is ready.</p>
<p><a href="{{link}}">Open your account</a></p>
`,
  text_body: `Welcome, {{name}}

Your account is ready: {{link}}
`,
}

const newBody = ({ name, alias }: Values) => ({
  name: name.trim(),
  ...(alias.trim() !== '' && { alias: alias.trim() }),
  ...firstParts,
})

const changedBody = ({ name, alias }: Values) => ({ name: name.trim(), alias: alias.trim() || null })

const schema = z.object({
  name: z.string().trim().pipe(Name),
  alias: z
    .string()
    .transform((text) => text.trim() || null)
    .pipe(Alias.nullable()),
})

/** Creates a template and opens it, or changes name and alias of one. @param template absent: a new one */
export const NameDialog = ({ template, onClose }: { template?: Template; onClose: () => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const form = useApiForm<Values>({
    schema,
    values: { name: template?.name ?? '', alias: template?.alias ?? '' },
    submit: async (values) => {
      if (template) {
        const path = { id: template.id }
        await storeTemplate(queries, await api.patch('/api/v1/templates/{id}', { path, body: changedBody(values) }))
        toast({ title: 'The template was changed' })
        onClose()
        return
      }
      const made = await api.post('/api/v1/templates', { body: newBody(values) })
      await storeTemplate(queries, made)
      navigate({ to: '/templates/$id', params: { id: made.id } })
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={template ? 'Name and alias' : 'Create template'}
      {...(!template && { description: 'It begins with an example, which you replace.' })}
    >
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-5">
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <Field label="Name" hint="For people: Welcome, Receipt." error={form.errorAt('name')}>
          <TextInput autoFocus autoComplete="off" {...form.register('name')} />
        </Field>
        <Field
          label="Alias"
          optional
          hint="Your programs can name the template by it. You can move it to another template later."
          error={form.errorAt('alias')}
        >
          <TextInput
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="welcome"
            className="font-mono"
            {...form.register('alias')}
          />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="solid" busy={form.isBusy}>
            {template ? 'Save' : 'Create template'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
