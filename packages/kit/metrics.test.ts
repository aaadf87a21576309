import assert from 'node:assert/strict'
import { until } from '../../test/support/until.ts'
import { collectProcessMetrics, makeMetrics } from './metrics.ts'

describe('metrics of a process', () => {
  // Each measurement wakes an idle process. The mean cannot be shorter than the interval of the timer.
  it('measure the event-loop delay at most 50 times a second', async () => {
    const metrics = makeMetrics()
    collectProcessMetrics(metrics)
    const mean = async (): Promise<number | undefined> => {
      const text = await metrics.registry.metrics()
      const seconds = Number(/^postrider_nodejs_eventloop_lag_mean_seconds (\S+)$/m.exec(text)?.[1])
      return seconds > 0 ? seconds : undefined
    }
    const seconds = await until('the delay was measured', mean)
    assert.ok(seconds > 0.013, `${seconds} s`)
  })
})
