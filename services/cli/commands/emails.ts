import { emailStatuses } from '@postrider/domain/email/status.ts'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { pairs, shown, table } from '../output.ts'
import type { Terminal } from '../terminal.ts'
import { contextOf, limitRange } from './context.ts'

type Email = {
  id: string
  status: string
  created_at: string
  from_: string
  to: string[]
  subject: string
  recipients: { address: string; kind: string; status: string; reply: string | null }[]
  events?: { timestamp: string; type: string; recipient: string | null; reply: string | null }[]
}

type List = { data: Email[]; has_more: boolean; next_cursor: string | null }

type ListOptions = {
  status?: string
  to?: string
  from?: string
  subject?: string
  tag?: string
  after?: string
  before?: string
  limit: string
  cursor?: string
}

/** Reads the number of records of a page. */
export const pageLimit = (text: string): string => {
  const { min, max } = limitRange
  if (/^\d{1,3}$/.test(text) && Number(text) >= min && Number(text) <= max) return text
  throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`)
}

/** Returns an id as a part of a path. */
export const pathPart = (id: string): string => encodeURIComponent(id)

const listText = ({ data, next_cursor: next }: List): string => {
  if (data.length === 0) return 'No email matches.\n'
  const rows = data.map(({ id, created_at, status, to = [], subject }) => [
    id,
    created_at,
    status,
    to.join(', '),
    subject,
  ])
  const more = next === null ? '' : `\nMore: --cursor ${next}\n`
  return table(['id', 'created', 'status', 'to', 'subject'], rows) + more
}

const emailText = ({ recipients = [], events = [], to = [], ...email }: Email): string => {
  const { id, status, created_at: created, from_: from, subject } = email
  return [
    pairs({ id, status, created, from, to: to.join(', '), subject }),
    table(
      ['recipient', 'kind', 'status', 'reply'],
      recipients.map(({ address, kind, status: state, reply }) => [address, kind, state, reply]),
    ),
    table(
      ['time', 'event', 'recipient', 'reply'],
      events.map(({ timestamp, type, recipient, reply }) => [timestamp, type, recipient, reply]),
    ),
  ].join('\n')
}

export const addEmailCommands = (program: Command, terminal: Terminal): void => {
  const emails = program.command('emails').summary('list and read mail').description('Lists and reads mail.')
  emails
    .command('list')
    .summary('list mail, newest first')
    .description('Lists mail, newest first.')
    .addOption(new Option('--status <status>', 'only mail of this status').choices(emailStatuses))
    .option('--to <address>', 'only mail to this address')
    .option('--from <address>', 'only mail from this address')
    .option('--subject <text>', 'only mail whose subject contains this text')
    .option('--tag <name:value>', 'only mail with this tag')
    .option('--after <time>', 'only mail accepted after this time (RFC 3339)')
    .option('--before <time>', 'only mail accepted before this time (RFC 3339)')
    .option('--limit <number>', 'maximum number of records, 1 to 100', pageLimit, '20')
    .option('--cursor <cursor>', 'where the page begins: next_cursor of the previous page')
    .action(async (options: ListOptions, command: Command) => {
      const context = contextOf(terminal, command)
      const { from, after, before, ...query } = options
      const api = await context.openApi()
      const list = await api.call<List>({
        path: '/emails',
        isList: true,
        query: { ...query, from_: from, created_after: after, created_before: before },
      })
      context.output.show(list, () => listText(list))
    })
  emails
    .command('get')
    .argument('<id>', 'id of the email (em_...)')
    .summary('read one email with its attempts and events')
    .description('Reads one email with its recipients, attempts and events.')
    .action(async (id: string, _: object, command: Command) => {
      const context = contextOf(terminal, command)
      const api = await context.openApi()
      const email = await api.call<Email>({ path: `/emails/${pathPart(id)}` })
      context.output.show(email, () => emailText(email))
    })
}

/** Returns an email's event as one line. */
export const eventLine = (event: {
  timestamp: string
  type: string
  id: string
  data: Readonly<Record<string, unknown>>
}): string => {
  const { recipient, email_id: email, name, reply } = event.data
  const about = [recipient ?? name, email, reply].filter((part) => part !== null && part !== undefined)
  return `${[event.timestamp, event.type.padEnd(18), ...about].map(shown).join('  ')}\n`
}
