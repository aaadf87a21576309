import { memoryDoorbell } from '@postrider/adapters/memory/doorbell.ts'
import type { Lane } from '@postrider/domain/email/email.ts'
import { doorbellConformance, type OpenDoorbell } from '@postrider/ports/doorbell.conformance.ts'
import type { Doorbell } from '@postrider/ports/doorbell.ts'
import { useBackend } from '../backends/backends.ts'
import { until } from '../support/until.ts'
import { doorbellsForTests, newPrefix } from './kafka.ts'

describe('doorbells', () => {
  doorbellConformance('memory', () => ({
    doorbell: memoryDoorbell(),
    listening: async () => {},
    delivered: async () => {},
  }))

  describe('Kafka', () => {
    const address = useBackend('kafka')
    const open = doorbellsForTests()
    doorbellConformance('Kafka', () =>
      // One partition preserves the order, so the last ring is received last.
      withMarks(open({ brokers: address().split(','), prefix: newPrefix(), partitions: 1 })),
    )
  })
})

const mark = 'em_mark'

/** Rings a mark in each lane with a listener. When it is received, all earlier rings were received too. */
const withMarks = (kafka: ReturnType<ReturnType<typeof doorbellsForTests>>): OpenDoorbell => {
  const lanes = new Set<Lane>()
  const marked = new Set<Lane>()
  const listen: Doorbell['listen'] = (lane, onRing) => {
    lanes.add(lane)
    const stop = kafka.listen(lane, (rung) => {
      const due = rung.filter(({ id }) => id !== mark)
      if (due.length < rung.length) marked.add(lane)
      if (due.length > 0 || rung.length === 0) onRing(due)
    })
    return () => {
      lanes.delete(lane)
      stop()
    }
  }
  return {
    doorbell: { ring: kafka.ring, listen, listeners: kafka.listeners },
    listening: kafka.ready,
    delivered: async () => {
      for (const lane of lanes) kafka.ring(lane, [{ id: mark, workspace: 'ws_1' }])
      await kafka.flushed()
      await until('the last rings are received', () => [...lanes].every((lane) => marked.has(lane)) || undefined)
    },
  }
}
