import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { kafkaDoorbell } from '@postrider/adapters/kafka/doorbell.ts'
import { kafkaMetrics } from '@postrider/adapters/kafka/metrics.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import { silent } from './kafka.ts'

// A process that listens to both lanes and reports the rings it receives and how often it wakes while idle.
const [brokers = '', prefix = '', measureMs = '0', maxWakes = '0'] = process.argv.slice(2)

const warnings: string[] = []
process.on('warning', ({ name }) => warnings.push(name))
const doorbell = kafkaDoorbell({
  brokers: brokers.split(','),
  name: 'process',
  prefix,
  partitions: 4,
  onFatal: (reason) => {
    throw reason
  },
  metrics: makeMetrics(kafkaMetrics),
  log: silent,
})
for (const lane of ['transactional', 'marketing'] as const) {
  doorbell.listen(lane, (due) => process.send?.({ received: due.map(({ id }) => id) }))
}
doorbell.ring('marketing', [])
await doorbell.flushed()
await doorbell.ready()
process.send?.({ listening: true })

if (Number(measureMs) > 0) {
  const loops = (): number => performance.nodeTiming.uvMetricsInfo.loopCount
  let wakes = Number.POSITIVE_INFINITY
  // The end of the start is in the first measurement, and on a busy machine in further ones.
  for (let tries = 0; tries < 6 && wakes >= Number(maxWakes); tries++) {
    const before = loops()
    await pause(Number(measureMs))
    wakes = Math.min(wakes, loops() - before)
  }
  process.send?.({ wakes, warnings })
}
