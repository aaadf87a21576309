// `npm run demo`: sends two emails from a new data directory to a mail server that it starts, and shows the records.
import { inspect, styleText } from 'node:util'
import PostalMime from 'postal-mime'
import { connect, type Session } from '../support/client.ts'
import type { HttpResponse } from '../support/http.ts'
import type { EmailRecord, KeyRecord, SessionRecord, TemplateRecord } from '../support/records.ts'
import { type SmtpSink, smtpSink } from '../support/smtpSink.ts'
import { removeDataDirectory, startStandalone } from '../support/standalone.ts'
import { until } from '../support/until.ts'

const order = ['Item;Price', 'Kite;24.00', 'String;3.50', ''].join('\r\n')

/** The request bodies of the demo. */
const requests = {
  owner: { email: 'ada@kites.example', password: 'a kite needs wind and string', workspace_name: 'Kites & Co' },
  template: {
    name: 'receipt',
    subject: 'Your order {{order.number}}',
    html_body:
      '<p>Hello {{name}},</p><p>thank you. Your order comes to <b>{{order.total}}</b>.</p>' +
      '{{#if gift}}<p>We wrapped it.</p>{{/if}}',
    text_body: 'Hello {{name}},\n\nthank you. Your order comes to {{order.total}}.\n',
  },
  rawMail: {
    to: ['Grace <grace@receiver.example>'],
    subject: 'It works – ¡hola!',
    text: 'Hello Grace,\n\nthis came over HTTP and left over SMTP.\n',
  },
  templatedMail: (templateId: string) => ({
    to: ['linus@receiver.example'],
    template_id: templateId,
    template_vars: { name: 'Linus', order: { number: '2026-0042', total: '27.50 €' }, gift: true },
    attachments: [
      { filename: 'receipt.csv', content_type: 'text/csv', content: Buffer.from(order).toString('base64') },
    ],
    tags: { kind: 'receipt' },
  }),
}

const print = (text = ''): void => void process.stdout.write(`${text}\n`)
const bold = (text: string): string => styleText('bold', text)
const dim = (text: string): string => styleText('dim', text)
const heading = (text: string): void => print(`\n${bold(text)}`)

/** Prints a request and its response on one line and returns the body. Throws on an error. */
const printCall = <T>(call: string, response: HttpResponse<T>, detail: (body: T) => string): T => {
  if (response.status >= 300) throw new Error(`${call}: ${response.status} ${response.text}`)
  print(`  ${call.padEnd(28)} ${styleText('green', String(response.status))}  ${detail(response.body)}`)
  return response.body
}

const inspectOptions = { depth: 6, breakLength: 110, compact: 3, colors: process.stdout.isTTY }

const printConversation = (email: EmailRecord): void => {
  for (const attempt of email.attempts ?? []) {
    print(`  ${dim(`with ${attempt.host}, outcome: ${attempt.outcome}`)}`)
    for (const { command, reply, duration_ms } of attempt.steps) {
      if (command !== '') print(`    ${styleText('cyan', '→')} ${command.replaceAll('\n', '\n      ')}`)
      print(`    ${styleText('yellow', '←')} ${reply.replaceAll('\n', '\n      ')}  ${dim(`${duration_ms} ms`)}`)
    }
  }
}

const printMessages = async (sink: SmtpSink): Promise<void> => {
  for (const { to, raw } of sink.messages) {
    const mail = await PostalMime.parse(raw)
    const files = mail.attachments.map(({ filename, mimeType }) => `${filename} (${mimeType})`)
    const parts = [mail.text ? 'text' : [], mail.html ? 'html' : [], files].flat()
    print(`  ${to.join(', ')}: ${bold(mail.subject ?? '')}  ${dim(`${raw.length} bytes; ${parts.join(', ')}`)}`)
  }
}

const makeKeyAndTemplate = async (owner: Session) => {
  const key = printCall(
    'POST /api/v1/api-keys',
    await owner.call<KeyRecord>({ path: '/api/v1/api-keys', json: { name: 'demo' } }),
    ({ prefix, last_four, scopes }) => `key ${prefix}…${last_four}, scopes ${scopes.join(', ')}`,
  )
  const template = printCall(
    'POST /api/v1/templates',
    await owner.call<TemplateRecord>({ path: '/api/v1/templates', json: requests.template }),
    ({ name, variables }) => `“${name}” with variables ${variables.join(', ')}`,
  )
  return { key, template }
}

const demo = async (url: string, sink: SmtpSink): Promise<void> => {
  const client = connect(url, '')
  heading('Workspace, API key and template')
  const signedUp = await client.call<SessionRecord>({ path: '/api/v1/auth/signup', json: requests.owner })
  printCall(
    'POST /api/v1/auth/signup',
    signedUp,
    ({ workspace }) => `workspace “${workspace.name}”, ${workspace.plan} plan`,
  )
  const { key, template } = await makeKeyAndTemplate(client.session(signedUp))

  heading('Two emails')
  const { call } = client.withKey(key.key)
  const send = (json: unknown) => call<EmailRecord>({ path: '/api/v1/emails', json })
  const summary = ({ id, status, to }: EmailRecord) => `${id} to ${to.join(', ')} is ${status}`
  const raw = printCall('POST /api/v1/emails', await send(requests.rawMail), summary)
  const templated = printCall('POST /api/v1/emails', await send(requests.templatedMail(template.id)), summary)

  const delivered = (id: string) =>
    until(`${id} is delivered`, async () => {
      const { body } = await call<EmailRecord>({ path: `/api/v1/emails/${id}` })
      return body.status === 'delivered' ? body : undefined
    })
  await delivered(raw.id)
  const record = await delivered(templated.id)

  heading('Messages on the mail server')
  await printMessages(sink)
  heading('SMTP conversation in the record')
  printConversation(record)
  heading(`GET /api/v1/emails/${record.id}`)
  const attempts = record.attempts?.map(({ steps, ...attempt }) => ({
    ...attempt,
    steps: `${steps.length}, shown above`,
  }))
  print(inspect({ ...record, attempts }, inspectOptions).replaceAll(/^/gm, '    '))
  client.close()
}

const startedAt = performance.now()
await using sink = await smtpSink()
print(`\n  A mail server that accepts all mail listens on 127.0.0.1:${sink.port}.`)
const standalone = await startStandalone({ POSTRIDER_ROUTE: `smtp://127.0.0.1:${sink.port}` })
print(`  Postrider started with a new data directory at ${standalone.url} and sends its mail there.`)
try {
  await demo(standalone.url, sink)
} finally {
  await standalone.stop()
  await removeDataDirectory(standalone.data)
}
print(
  `\n  Done in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s; the data directory is removed. ${bold('npm start')} starts Postrider for your own use.\n`,
)
