import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Command } from 'commander'
import { failed, wrongUsage } from '../failure.ts'
import { shown } from '../output.ts'
import type { Terminal } from '../terminal.ts'
import { contextOf, repeated } from './context.ts'

type SendOptions = {
  to: string[]
  cc?: string[]
  bcc?: string[]
  replyTo?: string[]
  from?: string
  subject?: string
  text?: string
  html?: string
  textFile?: string
  htmlFile?: string
  template?: string
  var?: string[]
  vars?: string
  tag?: string[]
  metadata?: string[]
  attach?: string[]
  scheduledAt?: string
  expiresIn?: string
  category?: string
  idempotencyKey?: string
}

/** Reads a file, or stdin for `-`. */
const readText = async (terminal: Terminal, file: string | undefined): Promise<string | undefined> => {
  if (file === undefined) return undefined
  return file === '-' ? terminal.readInput() : (await readBytes(file)).toString()
}

const readBytes = (file: string): Promise<Buffer> =>
  readFile(file).catch((thrown: Error) => {
    throw failed({ code: 'unreadable_file', message: `${file} cannot be read: ${thrown.message}` })
  })

/** Reads `name=value` texts. */
const namesAndValues = (option: string, texts: readonly string[] | undefined): Record<string, string> | undefined =>
  texts &&
  Object.fromEntries(
    texts.map((text) => {
      const equals = text.indexOf('=')
      if (equals < 1) throw wrongUsage(`${option}: ${text} is not name=value`)
      return [text.slice(0, equals), text.slice(equals + 1)]
    }),
  )

const variables = ({ template, var: given, vars }: SendOptions): unknown => {
  if (template === undefined && (given ?? vars) !== undefined) throw wrongUsage('--var and --vars need --template')
  if (template === undefined) return undefined
  const parsed = vars === undefined ? {} : parsedVars(vars)
  return { ...parsed, ...namesAndValues('--var', given) }
}

const parsedVars = (text: string): object => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Refused below.
  }
  throw wrongUsage('--vars: it must be a JSON object, such as {"name":"Jane"}')
}

/** Returns the body of the request. Undefined members are left out of the JSON. */
const mailOf = async (terminal: Terminal, options: SendOptions) => {
  if (options.textFile === '-' && options.htmlFile === '-') throw wrongUsage('only one of the files can be stdin')
  const attachments = await Promise.all(
    (options.attach ?? []).map(async (file) => ({
      filename: basename(file),
      content: (await readBytes(file)).toString('base64'),
    })),
  )
  return {
    to: options.to,
    cc: options.cc,
    bcc: options.bcc,
    reply_to: options.replyTo,
    from_: options.from,
    subject: options.subject,
    text: options.text ?? (await readText(terminal, options.textFile)),
    html: options.html ?? (await readText(terminal, options.htmlFile)),
    template_id: options.template,
    template_vars: variables(options),
    tags: namesAndValues('--tag', options.tag),
    metadata: namesAndValues('--metadata', options.metadata),
    attachments: attachments.length > 0 ? attachments : undefined,
    scheduled_at: options.scheduledAt,
    expires_in: options.expiresIn,
    category: options.category,
  }
}

type Sent = { id: string; status: string; notices: string[] }

export const addSendCommand = (program: Command, terminal: Terminal): void => {
  program
    .command('send')
    .summary('send an email')
    .description(
      'Sends an email and prints its record. Every request has an Idempotency-Key, so it is repeated safely when the response is lost.',
    )
    .requiredOption('--to <address>', 'recipient; may be repeated', repeated)
    .option('--cc <address>', 'recipient of a copy; may be repeated', repeated)
    .option('--bcc <address>', 'hidden recipient; may be repeated', repeated)
    .option('--reply-to <address>', 'where replies go; may be repeated', repeated)
    .option('--from <address>', 'sender; absent: the shared sender')
    .option('--subject <text>', 'subject')
    .option('--text <text>', 'content as text')
    .option('--html <html>', 'content as HTML')
    .option('--text-file <file>', 'file with the text; - is stdin')
    .option('--html-file <file>', 'file with the HTML; - is stdin')
    .option('--template <id>', 'template instead of subject and content')
    .option('--var <name=value>', 'variable of the template; may be repeated', repeated)
    .option('--vars <json>', 'variables of the template as a JSON object')
    .option('--tag <name=value>', 'tag; may be repeated', repeated)
    .option('--metadata <name=value>', 'metadata, shown in events; may be repeated', repeated)
    .option('--attach <file>', 'file to attach; may be repeated', repeated)
    .option('--scheduled-at <time>', 'when to send: RFC 3339, or a duration such as PT1H')
    .option('--expires-in <duration>', 'when to stop trying, such as PT10M')
    .option('--category <category>', 'transactional or marketing')
    .option('--idempotency-key <key>', 'the key of the request; absent: a random one')
    .addHelpText(
      'after',
      `
Examples:
  $ postrider send --to jane@example.com --subject Hello --text "Hello Jane."
  $ postrider send --to jane@example.com --subject Report --html-file report.html --attach report.pdf
  $ postrider send --to jane@example.com --template tpl_... --var name=Jane`,
    )
    .action(async (options: SendOptions, command: Command) => {
      const context = contextOf(terminal, command)
      const json = await mailOf(terminal, options)
      const api = await context.openApi()
      const headers = { 'idempotency-key': options.idempotencyKey ?? randomUUID() }
      const sent = await api.call<Sent>({ method: 'POST', path: '/emails', json, headers, isRepeatable: true })
      context.output.show(sent, () => `${shown(sent.id)} is ${shown(sent.status)}.\n`)
      if (!context.output.isJson) for (const notice of sent.notices) context.output.note(shown(notice))
    })
}
