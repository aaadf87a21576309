import process from 'node:process'
import { findBackend } from '../backends/find.ts'
import { memoryMb } from '../bench/processes.ts'
import { startCluster } from '../cluster/cluster.ts'
import { connect, fresh } from '../support/client.ts'
import { smtpSink } from '../support/smtpSink.ts'

// args: heaps JSON per service, env JSON, seconds, mb, concurrency
const cases = JSON.parse(process.argv[2] ?? '[]') as {
  name: string
  heap: Record<string, number>
  envOf: Record<string, Record<string, string>>
  workspaces: number
  each: number
  mib: number
  seconds: number
}[]
await using stack = new AsyncDisposableStack()
const backends = { mongodb: '', kafka: '', redis: '' }
for (const name of ['mongodb', 'kafka', 'redis'] as const) {
  const f = await findBackend(name)
  if (!f) throw new Error(name)
  backends[name] = stack.use(f).address
}
const sink = await smtpSink({
  port: 0,
  keep: 'counts',
  pipelining: true,
  startTls: false,
  secure: false,
  maxRecipients: 1000,
} as never)
stack.defer(async () => {
  await sink.close()
})
const token = 'operator-token-operator-token'
for (const c of cases) {
  const cluster = await startCluster({
    backends,
    replicas: { gateway: 1, intake: 1, dispatcher: 1 },
    env: {
      POSTRIDER_ROUTE: `smtp://127.0.0.1:${sink.port}`,
      POSTRIDER_OPERATOR_TOKEN: token,
      POSTRIDER_TRUSTED_PROXIES: '127.0.0.1/32,::1/128',
      LOG_LEVEL: 'warn',
    },
    envOf: c.envOf as never,
    envOfMember: (service) =>
      (c.heap[service] ? { NODE_OPTIONS: `--max-old-space-size=${c.heap[service]}` } : {}) as Record<string, string>,
  })
  const client = connect(cluster.url, token)
  const idle = Object.fromEntries(cluster.members.map((m) => [m.service, Math.round(memoryMb(m.pid()).rss)]))
  const keys: string[] = []
  for (let i = 0; i < c.workspaces; i++) keys.push((await client.tenant()).api.key)
  const bytes = Math.floor(c.mib * 2 ** 20)
  const content = Buffer.alloc(bytes, 'x').toString('base64')
  const counts: Record<string, number> = {}
  const end = performance.now() + c.seconds * 1000
  await Promise.all(
    keys.flatMap((key) =>
      Array.from({ length: c.each }, async () => {
        while (performance.now() < end) {
          const body = JSON.stringify({
            to: [fresh()],
            subject: 'x',
            text: 'x',
            attachments: bytes > 0 ? [{ filename: 'a.txt', content, content_type: 'text/plain' }] : undefined,
          })
          const status = await fetch(`${cluster.url}/api/v1/emails`, {
            method: 'POST',
            headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
            body,
          }).then(
            async (r) => {
              await r.text()
              return String(r.status)
            },
            (e) => String(e.cause?.code ?? e),
          )
          counts[status] = (counts[status] ?? 0) + 1
        }
      }),
    ),
  )
  await new Promise((r) => setTimeout(r, 4000))
  const peaks = Object.fromEntries(
    cluster.members.map((m) => [
      m.service,
      m.running()
        ? `${Math.round(memoryMb(m.pid()).peak)} (now ${Math.round(memoryMb(m.pid()).rss)})`
        : `DEAD ${m.output().slice(-300)}`,
    ]),
  )
  console.log(c.name, JSON.stringify({ counts, idle, peaks, sink: (sink as never as { counts(): unknown }).counts() }))
  client.close()
  await cluster[Symbol.asyncDispose]()
}
