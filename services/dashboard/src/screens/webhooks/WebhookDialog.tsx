import { CreateWebhook, UpdateWebhook } from '@postrider/contracts/http/webhook.ts'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { useApi } from '../../api/ApiProvider.tsx'
import type { EventType } from '../../api/events.ts'
import type { Mode } from '../../api/types.ts'
import { storeWebhook, type Webhook, type WebhookWithSecret } from '../../api/webhooks.ts'
import { useMode } from '../../app/mode.tsx'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { RadioCard, TextInput } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { eventTypes } from '../events/eventTypes.ts'
import { EventTypeChoice } from './EventTypeChoice.tsx'

type Values = { url: string; description: string; isAll: 'all' | 'some'; events: EventType[]; mode: Mode }

const listed = ({ isAll, events }: Values): EventType[] => (isAll === 'all' ? [...eventTypes] : events)

/** Returns the body of a new endpoint. Without `events` it also gets types that are added later. */
const newBody = (values: Values) => ({
  url: values.url.trim(),
  description: values.description.trim(),
  mode: values.mode,
  ...(values.isAll === 'some' && { events: values.events }),
})

const changedBody = (values: Values) => ({
  url: values.url.trim(),
  description: values.description.trim(),
  events: listed(values),
})

const newSchema = z.preprocess((values) => newBody(values as Values), CreateWebhook)
const changedSchema = z.preprocess((values) => changedBody(values as Values), UpdateWebhook)

/** The events that most programs need. */
const usual: EventType[] = ['email.delivered', 'email.bounced', 'email.failed', 'email.complained']

/** Adds an endpoint, or changes one. @param webhook absent: a new one */
export const WebhookDialog = ({
  webhook,
  onClose,
  onMade,
}: {
  webhook?: Webhook
  onClose: () => void
  onMade?: (made: WebhookWithSecret) => void
}) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { mode } = useMode()
  const isAll = webhook === undefined || eventTypes.every((type) => webhook.events.includes(type))
  const form = useApiForm<Values>({
    schema: webhook ? changedSchema : newSchema,
    values: {
      url: webhook?.url ?? '',
      description: webhook?.description ?? '',
      isAll: isAll ? 'all' : 'some',
      events: isAll ? usual : [...(webhook?.events ?? [])],
      mode: webhook?.mode ?? mode,
    },
    submit: async (values) => {
      if (webhook) {
        const path = { id: webhook.id }
        await storeWebhook(queries, await api.patch('/api/v1/webhooks/{id}', { path, body: changedBody(values) }))
        toast({ title: 'The endpoint was changed' })
        onClose()
        return
      }
      const made = await api.post('/api/v1/webhooks', { body: newBody(values) })
      await storeWebhook(queries, made)
      onMade?.(made)
    },
  })
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={webhook ? 'Edit endpoint' : 'Add endpoint'}
      {...(!webhook && { description: `It gets the events of ${mode} mail.` })}
    >
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-5">
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <Field
          label="URL"
          hint="A public address with https. Redirects are not followed: enter the final URL."
          error={form.errorAt('url')}
        >
          <TextInput
            autoFocus
            autoComplete="off"
            inputMode="url"
            spellCheck={false}
            placeholder="https://example.com/webhooks/postrider"
            {...form.register('url')}
          />
        </Field>
        <Field label="Description" optional error={form.errorAt('description')}>
          <TextInput autoComplete="off" placeholder="Order system" {...form.register('description')} />
        </Field>
        <EventsChoice form={form} isNew={webhook === undefined} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="solid" busy={form.isBusy}>
            {webhook ? 'Save changes' : 'Add endpoint'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** All events, or chosen types. */
const EventsChoice = ({ form, isNew }: { form: ReturnType<typeof useApiForm<Values>>; isNew: boolean }) => (
  <fieldset>
    <legend className="mb-1.5 text-small font-medium">Events</legend>
    <div className="grid gap-2 sm:grid-cols-2">
      <RadioCard
        value="all"
        title="All events"
        text={isNew ? 'Also types that are added later.' : 'Every type of this release.'}
        {...form.register('isAll')}
      />
      <RadioCard
        value="some"
        title="Chosen events"
        text="Only the types that you choose."
        {...form.register('isAll')}
      />
    </div>
    {form.watch('isAll') === 'some' && (
      <EventTypeChoice
        chosen={form.watch('events')}
        onChange={(events) => form.setValue('events', events, { shouldValidate: true })}
        error={form.errorAt('events')}
      />
    )}
  </fieldset>
)
