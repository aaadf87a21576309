// `npm run up`: the whole cluster on this machine, every service its own process, until Ctrl-C.
import process from 'node:process'
import { styleText } from 'node:util'
import { type BackendName, findBackend } from '../backends/find.ts'
import { connect, fresh } from '../support/client.ts'
import { type Cluster, startCluster } from './cluster.ts'
import type { Member } from './member.ts'

const say = (text = ''): void => void process.stdout.write(`${text}\n`)
const bold = (text: string): string => styleText('bold', text)

/** What the operator set goes on to every service that reads it. */
const given = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    /^(POSTRIDER_|KAFKA_|OTEL_|LOG_LEVEL$)/.test(name) && value ? [[name, value]] : [],
  ),
)

const backend = async (stack: AsyncDisposableStack, name: BackendName): Promise<string> => {
  const found = await findBackend(name)
  if (!found) throw new Error(`Without ${name} there is no cluster; the line above says what would give one.`)
  return stack.use(found).address
}

const table = (members: readonly Member[]): string[] =>
  members.map(({ service, number, pid, port, opsUrl }) => {
    const at = port === null ? '' : service === 'gateway' ? `http://localhost:${port}` : `localhost:${port} (gRPC)`
    return `  ${`${service} ${number}`.padEnd(14)} ${String(pid()).padEnd(8)} ${at.padEnd(24)} ${opsUrl}/metrics`
  })

/** A workspace to begin with, so that the first mail is one paste away. */
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

const told = Promise.withResolvers<void>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => told.resolve())

const stack = new AsyncDisposableStack()
try {
  say('Finding or starting the back ends …')
  const backends = {
    mongodb: await backend(stack, 'mongodb'),
    kafka: await backend(stack, 'kafka'),
    redis: await backend(stack, 'redis'),
  }
  say('Starting every service …')
  const port = Number(process.env['PORT'] ?? 8080)
  const cluster = stack.use(
    await startCluster({ backends, port, env: { POSTRIDER_TRUSTED_PROXIES: '127.0.0.0/8,::1/128', ...given } }),
  )
  const key = await testKey(cluster)
  say(`
${bold('Postrider, as a cluster, is ready at')} ${cluster.url}

  ${'process'.padEnd(14)} ${'pid'.padEnd(8)} ${'at'.padEnd(24)} numbers
${table(cluster.members).join('\n')}

  Test key       ${key}

  curl -s ${cluster.url}/api/v1/emails \\
    -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
    -d '{"to":["you@example.com"],"subject":"Hello","text":"It works."}'

Ctrl-C stops all of it.
`)
  await told.promise
  say('Stopping …')
} catch (thrown) {
  process.exitCode = 1
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`)
} finally {
  await stack.disposeAsync()
}
