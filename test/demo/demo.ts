// `npm run demo`: sends two emails from an empty directory to the final record, to a mail server that it starts itself.
import { inspect, styleText } from 'node:util'
import PostalMime from 'postal-mime'
import { connect, type Session } from '../support/client.ts'
import type { Answer } from '../support/http.ts'
import type { EmailRecord, KeyRecord, SessionRecord, TemplateRecord } from '../support/records.ts'
import { type SmtpSink, smtpSink } from '../support/smtpSink.ts'
import { removeDataDirectory, startStandalone } from '../support/standalone.ts'
import { until } from '../support/until.ts'
import { receipt } from './receipt.ts'

const print = (text = ''): void => void process.stdout.write(`${text}\n`)
const bold = (text: string): string => styleText('bold', text)
const dim = (text: string): string => styleText('dim', text)
const heading = (text: string): void => print(`\n${bold(text)}`)

/** Prints a request and its answer on one line; an error ends the demo. */
const reported = <T>(what: string, answer: Answer<T>, detail: (body: T) => string): T => {
  if (answer.status >= 300) throw new Error(`${what}: ${answer.status} ${answer.text}`)
  print(`  ${what.padEnd(28)} ${styleText('green', String(answer.status))}  ${detail(answer.body)}`)
  return answer.body
}

const shape = { depth: 6, breakLength: 110, compact: 3, colors: process.stdout.isTTY }

const indented = (text: string): string => text.replaceAll(/^/gm, '    ')

const showConversation = (email: EmailRecord): void => {
  for (const attempt of email.attempts ?? []) {
    print(`  ${dim(`with ${attempt.host}, outcome: ${attempt.outcome}`)}`)
    for (const { command, reply, duration_ms } of attempt.steps) {
      if (command !== '') print(`    ${styleText('cyan', '→')} ${command.replaceAll('\n', '\n      ')}`)
      print(`    ${styleText('yellow', '←')} ${reply.replaceAll('\n', '\n      ')}  ${dim(`${duration_ms} ms`)}`)
    }
  }
}

const showArrived = async (sink: SmtpSink): Promise<void> => {
  for (const { to, raw } of sink.messages) {
    const mail = await PostalMime.parse(raw)
    const files = mail.attachments.map(({ filename, mimeType }) => `${filename} (${mimeType})`)
    const parts = [mail.text ? 'text' : [], mail.html ? 'html' : [], files].flat()
    print(`  ${to.join(', ')}: ${bold(mail.subject ?? '')}  ${dim(`${raw.length} bytes; ${parts.join(', ')}`)}`)
  }
}

const makeKeyAndTemplate = async (owner: Session) => {
  const key = reported(
    'POST /api/v1/api-keys',
    await owner.call<KeyRecord>({ path: '/api/v1/api-keys', json: { name: 'demo' } }),
    ({ prefix, last_four, scopes }) => `key ${prefix}…${last_four}, may ${scopes.join(', ')}`,
  )
  const template = reported(
    'POST /api/v1/templates',
    await owner.call<TemplateRecord>({ path: '/api/v1/templates', json: receipt.template }),
    ({ name, variables }) => `“${name}” with ${variables.join(', ')}`,
  )
  return { key, template }
}

const demo = async (url: string, sink: SmtpSink): Promise<void> => {
  const client = connect(url, '')
  heading('A workspace, a key, a template')
  const signedUp = await client.call<SessionRecord>({ path: '/api/v1/auth/signup', json: receipt.owner })
  reported(
    'POST /api/v1/auth/signup',
    signedUp,
    ({ workspace }) => `workspace “${workspace.name}”, ${workspace.plan} plan`,
  )
  const { key, template } = await makeKeyAndTemplate(client.session(signedUp))

  heading('Two emails')
  const { call } = client.withKey(key.key)
  const send = (json: unknown) => call<EmailRecord>({ path: '/api/v1/emails', json })
  const shown = ({ id, status, to }: EmailRecord) => `${id} to ${to.join(', ')} is ${status}`
  const raw = reported('POST /api/v1/emails', await send(receipt.rawMail), shown)
  const templated = reported('POST /api/v1/emails', await send(receipt.templatedMail(template.id)), shown)

  const delivered = (id: string) =>
    until(`${id} is delivered`, async () => {
      const { body } = await call<EmailRecord>({ path: `/api/v1/emails/${id}` })
      return body.status === 'delivered' ? body : undefined
    })
  await delivered(raw.id)
  const record = await delivered(templated.id)

  heading('What the mail server received')
  await showArrived(sink)
  heading('The SMTP conversation in the record')
  showConversation(record)
  heading(`GET /api/v1/emails/${record.id}`)
  const attempts = record.attempts?.map(({ steps, ...attempt }) => ({
    ...attempt,
    steps: `${steps.length}, shown above`,
  }))
  print(indented(inspect({ ...record, attempts }, shape)))
  client.close()
}

const begun = performance.now()
await using sink = await smtpSink()
print(`\n  A mail server that accepts all mail listens on 127.0.0.1:${sink.port}.`)
const standalone = await startStandalone({ POSTRIDER_ROUTE: `smtp://127.0.0.1:${sink.port}` })
print(`  Postrider runs at ${standalone.url} with an empty data directory and sends its mail there.`)
try {
  await demo(standalone.url, sink)
} finally {
  await standalone.stop()
  await removeDataDirectory(standalone.data)
}
print(
  `\n  Done in ${((performance.now() - begun) / 1_000).toFixed(1)} s; all data is removed. Start your own with ${bold('npm start')}.\n`,
)
