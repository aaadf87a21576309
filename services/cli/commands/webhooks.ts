import { randomBytes } from 'node:crypto'
import { type EventType, eventTypes } from '@postrider/domain/events/event.ts'
import { makeWebhookSecret } from '@postrider/domain/webhooks/signature.ts'
import { pause } from '@postrider/kit/pause.ts'
import { Argument, type Command } from 'commander'
import type { Api } from '../api.ts'
import { failed, wrongUsage } from '../failure.ts'
import { follow } from '../follow.ts'
import { checkedSecret, type Forwarded, forward, forwardUrl, isDelivered, type Target } from '../forward.ts'
import { shown, table } from '../output.ts'
import { openTail } from '../tail.ts'
import type { Terminal } from '../terminal.ts'
import { type Context, contextOf } from './context.ts'
import { pathPart } from './emails.ts'
import { typeList } from './events.ts'

type Webhook = {
  id: string
  url: string
  enabled: boolean
  mode: string
  events: string[]
  disabled_reason: string | null
}

type ForwardOptions = { forwardTo?: string; secret?: string }

/** Returns where copies go, with the given secret or a new one. */
const targetOf = ({ secret }: ForwardOptions, text: string): Target => ({
  url: forwardUrl(text),
  secret: secret === undefined ? makeWebhookSecret(randomBytes) : checkedSecret(secret),
})

/** The secret comes first: the receiver needs it before the first event arrives. */
const showTarget = ({ output }: Context, { url, secret }: Target): void =>
  output.show(
    { forward_to: url, secret },
    () => `Events are posted to ${shown(url)}.\nThey are signed with the secret ${secret}\n`,
  )

type Sent = { id: string; type: string }

/** @param more what else the JSON has */
const showForwarded = ({ output }: Context, event: Sent, sent: Forwarded, more: { secret?: string } = {}): void => {
  const { status, error, durationMs } = sent
  const line = { event_id: event.id, type: event.type, status, error, duration_ms: durationMs, ...more }
  output.show(line, () => `${shown(event.type).padEnd(18)}  ${event.id}  ${status ?? shown(error)}  ${durationMs} ms\n`)
}

const addListen = (webhooks: Command, terminal: Terminal): void => {
  webhooks
    .command('listen')
    .summary('post new events to a local server, signed like webhooks')
    .description(
      'Reads new events of the workspace and posts each to a URL of this machine, with the body and the headers of a webhook. The server needs no public address. An event that the URL does not accept is reported and not sent again.',
    )
    .requiredOption('--forward-to <url>', 'where to post: a URL, or a port of this machine')
    .option('--type <types>', 'only events of these types, separated by commas', typeList)
    .option('--secret <secret>', 'secret that signs (whsec_...); absent: a new one, which is printed')
    .addHelpText(
      'after',
      `
Examples:
  $ postrider webhooks listen --forward-to 3000
  $ postrider webhooks listen --forward-to http://localhost:3000/webhooks --type email.bounced

Needs a key with emails:read. A test key forwards the events of test mail, a live key those of live mail.`,
    )
    .action(async (options: ForwardOptions & { forwardTo: string; type?: string }, command: Command) => {
      const context = contextOf(terminal, command)
      const target = targetOf(options, options.forwardTo)
      const tail = openTail(await context.openApi(), options.type)
      await tail.latest(0)
      showTarget(context, target)
      await follow(tail, { output: context.output, stopped: terminal.stopped }, async (event) => {
        const sent = await forward(target, event, terminal.stopped)
        if (!terminal.stopped.aborted) showForwarded(context, event, sent)
      })
    })
}

const triggerLocally = async (context: Context, type: EventType, options: ForwardOptions & { forwardTo: string }) => {
  const target = targetOf(options, options.forwardTo)
  const isNew = options.secret === undefined
  if (isNew && !context.output.isJson) context.output.note(`Signed with the new secret ${target.secret}`)
  // The schemas of the contract would double the CPU of the start of every command, so only this command loads them.
  const { syntheticEvent } = await import('../syntheticEvent.ts')
  const event = syntheticEvent(type)
  const sent = await forward(target, event, context.terminal.stopped)
  showForwarded(context, event, sent, isNew ? { secret: target.secret } : {})
  if (isDelivered(sent)) return
  const outcome = sent.status === null ? `no response: ${sent.error}` : `status ${sent.status}`
  const isOtherSecret = isNew && (sent.status === 401 || sent.status === 403)
  throw failed({
    code: 'not_accepted',
    message: `${target.url} did not accept the event (${outcome}).`,
    hint: isOtherSecret ? 'Repeat with --secret and the secret that the receiver has.' : null,
  })
}

type Delivery = {
  id: string
  event_id: string
  type: string
  status: string
  attempts: { status_code: number | null; error?: string; duration_ms: number }[]
}

/** Returns the webhook to try. @throws wrong usage: the workspace has none or several */
const onlyWebhook = async (api: Api): Promise<string> => {
  const { data } = await api.call<{ data: Webhook[] }>({ path: '/webhooks', isList: true })
  const [only, ...others] = data
  if (only !== undefined && others.length === 0) return only.id
  const which = data.length === 0 ? 'The workspace has no webhook' : 'The workspace has several webhooks'
  throw wrongUsage(`${which}: use --webhook <id> (see postrider webhooks list), or --forward-to <url>`)
}

const pollEveryMs = 300
/** An attempt takes at most 10 s. */
const maxPolls = 60

const triggerByApi = async (context: Context, type: EventType, given: string | undefined): Promise<void> => {
  const api = await context.openApi()
  const id = given ?? (await onlyWebhook(api))
  const path = `/webhooks/${pathPart(id)}`
  const { stopped } = context.terminal
  let delivery = await api.call<Delivery>({ method: 'POST', path: `${path}/test`, json: { type } })
  for (let polls = 0; delivery.status === 'pending' && polls < maxPolls && !stopped.aborted; polls++) {
    await pause(pollEveryMs, { signal: stopped })
    delivery = await api.call<Delivery>({ path: `${path}/deliveries/${pathPart(delivery.id)}` })
  }
  const last = delivery.attempts.at(-1)
  const outcome = last?.status_code ?? last?.error ?? 'no attempt yet'
  context.output.show(
    delivery,
    () => `${shown(type)}  ${shown(delivery.event_id)}  ${shown(delivery.status)}  ${shown(outcome)}\n`,
  )
  if (delivery.status === 'delivered') return
  if (last === undefined)
    throw failed({
      code: 'not_accepted',
      message: 'The server has not sent the event yet.',
      hint: `Read the delivery later: GET /api/v1${path}/deliveries/${shown(delivery.id)}.`,
    })
  throw failed({ code: 'not_accepted', message: `The webhook did not accept the event (${shown(outcome)}).` })
}

const addTrigger = (webhooks: Command, terminal: Terminal): void => {
  webhooks
    .command('trigger')
    .addArgument(new Argument('<type>', 'type of the event').choices(eventTypes))
    .summary('send a test event')
    .description(
      'Sends an event with made-up values and "test": true in its data. With --forward-to this program makes it and posts it to the URL; no API key is needed. Otherwise the server sends it to a webhook, and the outcome is printed.',
    )
    .option('--webhook <id>', 'the webhook (wh_...); may be absent if the workspace has only one')
    .option('--forward-to <url>', 'post to this URL instead: a URL, or a port of this machine')
    .option('--secret <secret>', 'with --forward-to: secret that signs; absent: a new one, which is printed')
    .addHelpText(
      'after',
      `
Examples:
  $ postrider webhooks trigger email.bounced --forward-to 3000 --secret whsec_...
  $ postrider webhooks trigger email.delivered --webhook wh_...

Without --forward-to it needs a key with webhooks:write. Exit code 1: the event was not accepted.`,
    )
    .action(async (type: EventType, options: ForwardOptions & { webhook?: string }, command: Command) => {
      const context = contextOf(terminal, command)
      const { forwardTo, webhook, secret } = options
      if (forwardTo !== undefined && webhook !== undefined) throw wrongUsage('use --webhook or --forward-to, not both')
      if (forwardTo === undefined && secret !== undefined) throw wrongUsage('--secret needs --forward-to')
      if (forwardTo === undefined) await triggerByApi(context, type, webhook)
      else await triggerLocally(context, type, { ...options, forwardTo })
    })
}

const addList = (webhooks: Command, terminal: Terminal): void => {
  webhooks
    .command('list')
    .summary('list the webhooks of the workspace')
    .description('Lists the webhooks of the workspace, newest first. Needs a key with webhooks:read.')
    .action(async (_: object, command: Command) => {
      const context = contextOf(terminal, command)
      const api = await context.openApi()
      const list = await api.call<{ data: Webhook[] }>({ path: '/webhooks', query: { limit: '100' }, isList: true })
      const rows = list.data.map(({ id, url, mode, enabled, events = [], disabled_reason: reason }) => [
        id,
        url,
        mode,
        enabled ? 'enabled' : `disabled (${reason})`,
        events.length === eventTypes.length ? 'all' : events.join(', '),
      ])
      context.output.show(list, () =>
        rows.length === 0 ? 'There are no webhooks.\n' : table(['id', 'url', 'mode', 'state', 'events'], rows),
      )
    })
}

export const addWebhookCommands = (program: Command, terminal: Terminal): void => {
  const webhooks = program
    .command('webhooks')
    .summary('try webhooks')
    .description('Tries webhooks, even without a public address.')
  addListen(webhooks, terminal)
  addTrigger(webhooks, terminal)
  addList(webhooks, terminal)
}
