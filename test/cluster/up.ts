// `npm run up`: runs the whole cluster on this machine, every service as a separate process, until Ctrl-C.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { styleText } from 'node:util'
import { Config as Accounts } from '@postrider/accounts/config.ts'
import { Config as Dispatcher } from '@postrider/dispatcher/config.ts'
import { Config as Gateway } from '@postrider/gateway/config.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { listen } from '@postrider/kit/listen.ts'
import { hasPublicAddress, isLocalHost, quotaLines, reachLines } from '@postrider/standalone/banner.ts'
import { z } from 'zod'
import { type BackendName, findBackend } from '../backends/find.ts'
import { connect, fresh } from '../support/client.ts'
import { durationText } from '../support/progress.ts'
import { root } from '../support/project.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type LogFile, logFolder, openLogFile } from './logFile.ts'
import type { Member } from './member.ts'

const print = (text: string): void => void process.stdout.write(`${text}\n`)
const bold = (text: string): string => styleText('bold', text)

// Back ends and services create private files only.
process.umask(0o077)

/**
 * The variables of the user, which are passed to every service that reads them. Only the front listens on the user's
 * address.
 */
const userEnv = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    /^(POSTRIDER_|KAFKA_|OTEL_|LOG_LEVEL$)/.test(name) && name !== 'POSTRIDER_HOST' && value ? [[name, value]] : [],
  ),
)

/** Checks the settings that would otherwise fail after half a minute. */
const checkSettings = async () => {
  const schema = z.object({
    PORT: Gateway.shape.PORT,
    POSTRIDER_HOST: Gateway.shape.POSTRIDER_HOST,
    POSTRIDER_PUBLIC_URL: Gateway.shape.POSTRIDER_PUBLIC_URL.optional(),
    POSTRIDER_ROUTE: Dispatcher.shape.POSTRIDER_ROUTE,
    POSTRIDER_SIGNUP: Accounts.shape.POSTRIDER_SIGNUP,
    POSTRIDER_DEFAULT_PLAN: Accounts.shape.POSTRIDER_DEFAULT_PLAN,
  })
  const read = readConfig(schema, process.env)
  if ('errors' in read) throw new Error(read.errors.join('\n'))
  const { PORT, POSTRIDER_HOST, POSTRIDER_PUBLIC_URL, POSTRIDER_SIGNUP } = read.config
  if (POSTRIDER_SIGNUP !== 'open') {
    const why = 'because `npm run up` signs up a workspace; leave it unset.'
    throw new Error(`POSTRIDER_SIGNUP=${POSTRIDER_SIGNUP} is not supported, ${why}`)
  }
  const server = createServer()
  // Every connection reaches a gateway from the front, which is on this machine, so the gateway cannot see where it
  // comes from.
  if (!isLocalHost(POSTRIDER_HOST) && !hasPublicAddress(POSTRIDER_PUBLIC_URL)) {
    const why = 'which other machines can reach: also set POSTRIDER_PUBLIC_URL to the URL that they use.'
    throw new Error(`POSTRIDER_HOST=${POSTRIDER_HOST} is an address ${why}`)
  }
  const { sockets } = await listen(server, { host: POSTRIDER_HOST, port: PORT, variable: 'PORT' })
  const closed = Promise.all(sockets.map((socket) => once(socket, 'close')))
  for (const socket of sockets) socket.close()
  await closed
  return read.config
}

const backend = async (stack: AsyncDisposableStack, name: BackendName, stopping: AbortSignal): Promise<string> => {
  const found = await findBackend(name)
  if (!found)
    throw new Error(`The cluster needs ${name}, which is not available; the line above lists what is missing.`)
  const { address } = stack.use(found)
  stopping.throwIfAborted()
  return address
}

const table = (members: readonly Member[]): string[] =>
  members.map(({ service, number, pid, port, opsUrl }) => {
    const at = port === null ? '' : service === 'gateway' ? `http://localhost:${port}` : `localhost:${port} (gRPC)`
    return `  ${`${service} ${number}`.padEnd(14)} ${String(pid()).padEnd(8)} ${at.padEnd(24)} ${opsUrl}/metrics`
  })

/** Signs up a workspace and returns a test key, so that the printed command can send mail. */
const testKey = async ({ url }: Cluster): Promise<string> => {
  const client = connect(url, '')
  const session = client.session(await client.signUp({ email: fresh('owner', 'postrider.localhost') }))
  const { body } = await session.call<{ key: string }>({
    path: '/api/v1/api-keys',
    json: { name: 'First', mode: 'test' },
  })
  client.close()
  return body.key
}

const operatorLine = process.env['POSTRIDER_OPERATOR_TOKEN']
  ? '  Operator   token is that of POSTRIDER_OPERATOR_TOKEN\n'
  : '  Operator   API is off; POSTRIDER_OPERATOR_TOKEN enables it\n'

/** Size of a log file; each service has at most two. */
const logMebibytes = 16

/** Opens a log file for each process. */
const openLogs = (stack: AsyncDisposableStack, port: number) => {
  const folder = logFolder(port)
  const files = new Map<string, LogFile>()
  // Before the processes are added to the stack, so that the files are closed after their last line.
  stack.defer(() => {
    for (const file of files.values()) file[Symbol.dispose]()
  })
  const open = (name: string): LogFile => {
    const file = openLogFile(join(root, folder, `${name}.log`), logMebibytes * 2 ** 20)
    files.set(name, file)
    return file
  }
  return { folder, write: (name: string, text: string): void => (files.get(name) ?? open(name)).write(text) }
}

const controller = new AbortController()
const stopping = controller.signal
stopping.addEventListener('abort', () => print('Stopping …'))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => controller.abort())

const stack = new AsyncDisposableStack()
try {
  const config = await checkSettings()
  const { PORT: port, POSTRIDER_HOST: host, POSTRIDER_ROUTE: route } = config
  print('Finding or starting the back ends …')
  const backends = {
    mongodb: await backend(stack, 'mongodb', stopping),
    kafka: await backend(stack, 'kafka', stopping),
    redis: await backend(stack, 'redis', stopping),
  }
  const logs = openLogs(stack, port)
  print(`Starting every service; their logs are in ${logs.folder}`)
  const begun = performance.now()
  const onReady = ({ service, number }: Member, ready: number, total: number): void =>
    print(`${service} ${number} is ready (${ready} of ${total}, ${durationText(performance.now() - begun)})`)
  const cluster = stack.use(await startCluster({ backends, host, port, env: userEnv, print: logs.write, onReady }))
  stopping.throwIfAborted()
  const key = await testKey(cluster)
  const mailbox = route.kind === 'mailbox' ? `\n  Then open ${cluster.url}/mailbox\n` : ''
  print(`
${bold('Postrider is ready as a cluster at')} ${cluster.url}

  ${'process'.padEnd(14)} ${'pid'.padEnd(8)} ${'address'.padEnd(24)} metrics
${table(cluster.members).join('\n')}

${reachLines(config)}${quotaLines(config.POSTRIDER_DEFAULT_PLAN)}${operatorLine}
  Test key   ${key}
  Logs       ${logs.folder}/<service>-<number>.log, at most 2 x ${logMebibytes} MiB each

  curl -s ${cluster.url}/api/v1/emails \\
    -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
    -d '{"to":["you@example.com"],"subject":"Hello","text":"It works."}'
${mailbox}
Ctrl-C stops it.
`)
  if (!stopping.aborted) await once(stopping, 'abort')
} catch (thrown) {
  if (!stopping.aborted || thrown !== stopping.reason) {
    process.exitCode = 1
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`)
  }
} finally {
  await stack.disposeAsync()
}
