import assert from 'node:assert/strict'
import type { EachBatchPayload, KafkaMessage } from 'kafkajs'
import { type BatchHandlerOptions, batchHandler } from './batchHandler.ts'
import { emailRing, laneRing } from './message.ts'

type Ring = ReturnType<typeof laneRing>

describe('batch of notifications', () => {
  /**
   * Handles each of the lists of notifications as a batch.
   * @returns the lines of the log, and how often the whole lane was rung
   */
  const handled = async (installation: string | undefined, ...batches: Ring[][]) => {
    const lines: object[] = []
    let lanes = 0
    const options: BatchHandlerOptions = {
      channel: 'transactional',
      group: 'group',
      installation,
      onRing: (due) => {
        if (due.length === 0) lanes++
      },
      park: () => assert.fail('parked'),
      log: { warn: (fields: object, text: string) => lines.push({ ...fields, text }), error: assert.fail } as never,
    }
    const handle = batchHandler(options, () => false)
    for (const notifications of batches) {
      // As Kafka returns them: values are buffers.
      const messages = notifications.map(
        ({ headers = {}, value, ...ring }, offset) =>
          ({
            ...ring,
            value: Buffer.from(String(value)),
            offset: String(offset),
            headers: Object.fromEntries(Object.entries(headers).map(([name, one]) => [name, Buffer.from(String(one))])),
          }) as unknown as KafkaMessage,
      )
      await handle({
        batch: { topic: 'topic', partition: 0, messages },
        isRunning: () => true,
        isStale: () => false,
        resolveOffset: () => {},
        heartbeat: async () => {},
      } as unknown as EachBatchPayload)
    }
    return { lines, lanes }
  }
  const warning = (other: string) => ({
    lane: 'transactional',
    installation: 'mail/a',
    other,
    text: 'another installation uses these topics',
  })
  const email = emailRing({ id: 'em_1', workspace: 'ws_1' })

  // Two releases with different databases and the same prefix of topics delayed each other's mail, and nothing reported
  // it.
  it('reports another installation that sends notifications, once', async () => {
    const { lines, lanes } = await handled(
      'mail/a',
      [laneRing('mail/a'), email, laneRing('mail/b')],
      [laneRing('mail/a'), laneRing('mail/b')],
      [laneRing('mail/c')],
    )
    assert.deepEqual(lines, [warning('mail/b'), warning('mail/c')])
    assert.equal(lanes, 3)
  })

  it('reports nothing if all notifications are from this installation or from processes without a name', async () => {
    assert.deepEqual(await handled('mail/a', [laneRing('mail/a'), laneRing(), email]), { lines: [], lanes: 1 })
  })

  it('reports nothing in a process without a name', async () => {
    assert.deepEqual(await handled(undefined, [laneRing('mail/b')]), { lines: [], lanes: 1 })
  })
})
