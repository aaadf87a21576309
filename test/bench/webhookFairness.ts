// node test/bench/webhookFairness.ts [events] [rounds]: how long 80 endpoints wait for their events when 10 others hang
// and 10 return 500, next to the same run without these 20. Each event goes to every endpoint: 100 events are 10,000
// deliveries.
import { setTimeout as pause } from 'node:timers/promises'
import { webhookClient } from '@postrider/adapters/http/webhookClient.ts'
import { webhookRules } from '@postrider/domain/webhooks/url.ts'
import { until } from '../support/until.ts'
import { startWebhookServer } from '../support/webhookReceiver.ts'
import { webhooksRig } from '../support/webhooksRig.ts'

const events = Number(process.argv[2] ?? 100)
const rounds = Number(process.argv[3] ?? 3)
const everyMs = 100
const [good, hanging, failing] = [80, 10, 10]

type Measured = { p50: number; p95: number; peakMb: number; deliveries: number }

const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

const measure = async (isWithBad: boolean): Promise<Measured> => {
  const emittedAt = new Map<string, number>()
  const delays: number[] = []
  await using receiver = await startWebhookServer(({ path, headers }) => {
    if (path.startsWith('/hang')) return { end: 'never' }
    if (path.startsWith('/fail')) return { status: 500 }
    delays.push(performance.now() - (emittedAt.get(headers['webhook-id'] ?? '') ?? Number.NaN))
    return {}
  })
  await using rig = await webhooksRig()
  rig.moveTo(Date.now())
  await rig.open({ client: webhookClient({ rules: webhookRules({ allow: ['127.0.0.0/8'] }) }), now: Date.now })
  const add = async (kind: string, count: number): Promise<void> => {
    for (let number = 0; number < count; number++) await rig.create(`${receiver.url}${kind}/${number}`)
  }
  await add('good', good)
  if (isWithBad) {
    await add('hang', hanging)
    await add('fail', failing)
  }
  let peak = 0
  for (let count = 0; count < events; count++) {
    rig.moveTo(Date.now())
    const at = performance.now()
    emittedAt.set(rig.emit().id, at)
    peak = Math.max(peak, process.memoryUsage().rss)
    // Only the times of requests are needed.
    receiver.seen.length = 0
    await pause(everyMs)
  }
  const all = good * events
  await until('the endpoints that respond have every event', () => delays.length >= all || undefined, 600_000)
  const sorted = delays.toSorted((a, b) => a - b)
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), peakMb: peak / 2 ** 20, deliveries: all }
}

const lineOf = ({ p50, p95, peakMb, deliveries }: Measured): string =>
  `${deliveries} deliveries, p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, RSS ${peakMb.toFixed(0)} MiB`

await measure(false)
const ratios: { p95: number; peak: number }[] = []
for (let round = 0; round < rounds; round++) {
  const isFirst = round % 2 === 0
  const first = await measure(isFirst)
  const second = await measure(!isFirst)
  const [bad, plain] = isFirst ? [first, second] : [second, first]
  process.stdout.write(`without: ${lineOf(plain)}\nwith:    ${lineOf(bad)}\n`)
  ratios.push({ p95: bad.p95 / plain.p95, peak: bad.peakMb / plain.peakMb })
}
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
process.stdout.write(
  `p95 with ÷ without: ${median(ratios.map(({ p95 }) => p95)).toFixed(2)} (target: at most 2), ` +
    `RSS ${median(ratios.map(({ peak }) => peak)).toFixed(2)}\n`,
)
