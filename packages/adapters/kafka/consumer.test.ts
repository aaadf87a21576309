import assert from 'node:assert/strict'
import type { Consumer, Kafka } from 'kafkajs'
import { type ConsumerOptions, runConsumer } from './consumer.ts'

const events = { CRASH: 'crash', GROUP_JOIN: 'join', REBALANCING: 'rebalance', FETCH: 'fetch', HEARTBEAT: 'heartbeat' }

/** Returns a client whose consumer crashes as soon as it runs. */
const crashing = (error: Error): Kafka => {
  let onCrash = (_: { payload: { error: Error } }): void => {}
  const consumer = {
    events,
    on: (event: string, listener: typeof onCrash) => {
      if (event === events.CRASH) onCrash = listener
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

const fatalErrorsOf = async (error: Error): Promise<Error[]> => {
  const fatal: Error[] = []
  const options: ConsumerOptions = {
    topic: 't',
    group: 'g',
    client: crashing(error),
    eachBatch: async () => {},
    onJoin: () => {},
    onRebalance: () => {},
    onFatal: (reason) => fatal.push(reason),
    answers: async () => true,
  }
  await assert.rejects(runConsumer(options, new Promise(() => {})), error)
  return fatal
}

describe('Kafka consumer', () => {
  it('reports a final error of kafkajs as fatal', async () => {
    const [reason, ...more] = await fatalErrorsOf(named('KafkaJSNonRetriableError'))
    assert.match(String(reason), /the consumer of t failed/)
    assert.deepEqual(more, [])
  })

  // These once ended a dispatcher whenever Kafka was slow to start.
  for (const name of ['KafkaJSGroupCoordinatorNotFound', 'KafkaJSLockTimeout', 'KafkaJSTimeout']) {
    it(`does not report ${name} as fatal, because it passes`, async () =>
      assert.deepEqual(await fatalErrorsOf(named(name)), []))
  }
})
