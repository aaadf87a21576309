import assert from 'node:assert/strict'
import type { Consumer, Kafka } from 'kafkajs'
import { type ConsumerLife, consumerLife } from './consumerLife.ts'

const events = { CRASH: 'crash', GROUP_JOIN: 'join', REBALANCING: 'rebalance', FETCH: 'fetch', HEARTBEAT: 'heartbeat' }

/** A client whose consumer crashes as soon as it runs. */
const crashing = (error: Error): Kafka => {
  let onCrash = (_: { payload: { error: Error } }): void => {}
  const consumer = {
    events,
    on: (event: string, hear: typeof onCrash) => {
      if (event === events.CRASH) onCrash = hear
      return () => {}
    },
    connect: async () => {},
    subscribe: async () => {},
    run: async () => onCrash({ payload: { error } }),
    disconnect: async () => {},
  } as unknown as Consumer
  return { consumer: () => consumer } as unknown as Kafka
}

const named = (name: string): Error => Object.assign(new Error('no'), { name })

const lived = async (error: Error): Promise<Error[]> => {
  const fatal: Error[] = []
  const life: ConsumerLife = {
    topic: 't',
    group: 'g',
    client: crashing(error),
    eachBatch: async () => {},
    onJoin: () => {},
    onRebalance: () => {},
    onFatal: (reason) => fatal.push(reason),
    answers: async () => true,
  }
  await assert.rejects(consumerLife(life, new Promise(() => {})), error)
  return fatal
}

describe('the life of a Kafka consumer', () => {
  it('ends the process with what the client can’t mend', async () => {
    const [reason, ...more] = await lived(named('KafkaJSNonRetriableError'))
    assert.match(String(reason), /listening to t broke/)
    assert.deepEqual(more, [])
  })

  // A dispatcher ended itself whenever Kafka was slow to start.
  for (const name of ['KafkaJSGroupCoordinatorNotFound', 'KafkaJSLockTimeout', 'KafkaJSTimeout']) {
    it(`ends itself alone with ${name}, which passes`, async () => assert.deepEqual(await lived(named(name)), []))
  }
})
