import { CreateDomain } from '@postrider/contracts/http/domains.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { useApi } from '../../api/ApiProvider.tsx'
import { storeDomain } from '../../api/domains.ts'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { TextInput } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'

type Values = { name: string }

/** Returns the body that the API gets. People also paste an address or a URL: then its domain is meant. */
const bodyOf = ({ name }: Values) => ({
  name: name
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/.*$/, '')
    .replace(/^.*@/, ''),
})

const schema = z.preprocess((values) => bodyOf(values as Values), CreateDomain)

/** Adds a domain and opens it, because its records are the next step. */
export const AddDomainDialog = ({ onClose }: { onClose: () => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const form = useApiForm<Values>({
    schema,
    values: { name: '' },
    submit: async (values) => {
      const domain = await api.post('/api/v1/domains', { body: bodyOf(values) })
      storeDomain(queries, domain)
      navigate({ to: '/domains/$id', params: { id: domain.id } })
    },
  })
  return (
    <Dialog open onClose={onClose} title="Add domain">
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-5">
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <Field
          label="Domain"
          hint="What is after the “@” of your sender addresses. You can also use a subdomain, such as mail.example.com."
          error={form.errorAt('name')}
        >
          <TextInput
            autoFocus
            autoComplete="off"
            autoCapitalize="none"
            inputMode="url"
            spellCheck={false}
            placeholder="example.com"
            {...form.register('name')}
          />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="solid" busy={form.isBusy}>
            Add domain
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
