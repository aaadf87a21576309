// `npm run up`: runs the whole cluster on this machine, every service as a separate process, until Ctrl-C.
import { once } from 'node:events'
import { createServer } from 'node:net'
import process from 'node:process'
import { styleText } from 'node:util'
import { Config as Accounts } from '@postrider/accounts/config.ts'
import { Config as Dispatcher } from '@postrider/dispatcher/config.ts'
import { Config as Gateway } from '@postrider/gateway/config.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { listen } from '@postrider/kit/listen.ts'
import { z } from 'zod'
import { type BackendName, findBackend } from '../backends/find.ts'
import { connect, fresh } from '../support/client.ts'
import { type Cluster, startCluster } from './cluster.ts'
import type { Member } from './member.ts'

const print = (text: string): void => void process.stdout.write(`${text}\n`)
const bold = (text: string): string => styleText('bold', text)

/** The variables of the user, which are passed to every service that reads them. */
const userEnv = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    /^(POSTRIDER_|KAFKA_|OTEL_|LOG_LEVEL$)/.test(name) && value ? [[name, value]] : [],
  ),
)

/** Checks the settings that would otherwise fail after half a minute. */
const checkSettings = async () => {
  const schema = z.object({
    PORT: Gateway.shape.PORT,
    POSTRIDER_ROUTE: Dispatcher.shape.POSTRIDER_ROUTE,
    POSTRIDER_SIGNUP: Accounts.shape.POSTRIDER_SIGNUP,
  })
  const read = readConfig(schema, process.env)
  if ('errors' in read) throw new Error(read.errors.join('\n'))
  const { PORT, POSTRIDER_SIGNUP } = read.config
  if (POSTRIDER_SIGNUP !== 'open') {
    const why = 'because `npm run up` signs up a workspace; leave it unset.'
    throw new Error(`POSTRIDER_SIGNUP=${POSTRIDER_SIGNUP} is not supported, ${why}`)
  }
  const server = createServer()
  await listen(server, PORT, 'PORT')
  server.close()
  await once(server, 'close')
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

const controller = new AbortController()
const stopping = controller.signal
stopping.addEventListener('abort', () => print('Stopping …'))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => controller.abort())

const stack = new AsyncDisposableStack()
try {
  const { PORT: port, POSTRIDER_ROUTE: route } = await checkSettings()
  print('Finding or starting the back ends …')
  const backends = {
    mongodb: await backend(stack, 'mongodb', stopping),
    kafka: await backend(stack, 'kafka', stopping),
    redis: await backend(stack, 'redis', stopping),
  }
  print('Starting every service …')
  const cluster = stack.use(
    await startCluster({ backends, port, env: { POSTRIDER_TRUSTED_PROXIES: '127.0.0.0/8,::1/128', ...userEnv } }),
  )
  stopping.throwIfAborted()
  const key = await testKey(cluster)
  const mailbox = route.kind === 'mailbox' ? `\n  Then open ${cluster.url}/mailbox\n` : ''
  print(`
${bold('Postrider is ready as a cluster at')} ${cluster.url}

  ${'process'.padEnd(14)} ${'pid'.padEnd(8)} ${'address'.padEnd(24)} metrics
${table(cluster.members).join('\n')}

  Test key       ${key}

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
