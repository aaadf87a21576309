import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { type SinkRule, type SmtpSink, sinkScript, smtpSink } from './smtpSink.ts'

const options = {
  port: { type: 'string', default: '0' },
  control: { type: 'string', default: '0' },
  keep: { type: 'string', default: 'counts' },
  rules: { type: 'string' },
  'max-recipients': { type: 'string' },
  'no-pipelining': { type: 'boolean', default: false },
  'smtp-utf8': { type: 'boolean', default: false },
  starttls: { type: 'boolean', default: false },
  secure: { type: 'boolean', default: false },
} as const

/**
 * Runs a sink as a separate process. Prints `{"port":…,"control":…}` when it listens. The control port serves HTTP:
 * `GET /counts`, `GET /messages` (one JSON object per line, `raw` in base64), `POST /reset`. SIGTERM ends the process.
 */
export const serveSink = async (args: string[]): Promise<void> => {
  const { values } = parseArgs({ args, options })
  const rules = values.rules === undefined ? null : (JSON.parse(values.rules) as SinkRule[])
  const sink = await smtpSink({
    port: Number(values.port),
    keep: values.keep as 'all' | 'envelopes' | 'counts',
    pipelining: !values['no-pipelining'],
    smtpUtf8: values['smtp-utf8'],
    startTls: values.starttls,
    secure: values.secure,
    maxRecipients: Number(values['max-recipients'] ?? Number.POSITIVE_INFINITY),
    ...(rules === null ? {} : { script: sinkScript(rules) }),
  })
  const control = http.createServer((request, response) => response.end(controlAnswer(sink, request.url ?? '')))
  await new Promise<void>((resolve) => control.listen(Number(values.control), '127.0.0.1', resolve))
  process.stdout.write(`${JSON.stringify({ port: sink.port, control: (control.address() as AddressInfo).port })}\n`)
  process.once('SIGTERM', () => {
    control.close()
    control.closeAllConnections()
    void sink.close()
  })
}

const controlAnswer = (sink: SmtpSink, path: string): string => {
  if (path === '/reset') sink.reset()
  if (path !== '/messages') return `${JSON.stringify({ ...sink.counts(), cpuMicros: cpuMicros() })}\n`
  return sink.messages.map((m) => `${JSON.stringify({ ...m, raw: m.raw.toString('base64') })}\n`).join('')
}

/** Returns the CPU time of this process in microseconds. */
const cpuMicros = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}
