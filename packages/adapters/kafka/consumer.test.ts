import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import type { Consumer, Kafka } from 'kafkajs'
import { type ConsumerOptions, runConsumer } from './consumer.ts'

const events = { CRASH: 'crash', GROUP_JOIN: 'join', REBALANCING: 'rebalance', FETCH: 'fetch', HEARTBEAT: 'heartbeat' }

const clientOf = (consumer: Partial<Consumer>): Kafka => {
  const whole = {
    events,
    on: () => () => {},
    connect: async () => {},
    subscribe: async () => {},
    disconnect: async () => {},
    ...consumer,
  }
  return { consumer: () => whole } as unknown as Kafka
}

/** Returns a client whose consumer crashes as soon as it runs. */
const crashing = (error: Error): Kafka => {
  let onCrash = (_: { payload: { error: Error } }): void => {}
  return clientOf({
    on: ((event: string, listener: typeof onCrash) => {
      if (event === events.CRASH) onCrash = listener
      return () => {}
    }) as Consumer['on'],
    run: async () => onCrash({ payload: { error } }),
  })
}

const optionsFor = (client: Kafka, more: Partial<ConsumerOptions> = {}): ConsumerOptions => ({
  topic: 't',
  group: 'g',
  client,
  eachBatch: async () => {},
  onJoin: () => {},
  onRebalance: () => {},
  onFatal: () => {},
  isReachable: async () => true,
  ...more,
})

const named = (name: string): Error => Object.assign(new Error('no'), { name })

const fatalErrorsOf = async (error: Error): Promise<Error[]> => {
  const fatal: Error[] = []
  const options = optionsFor(crashing(error), { onFatal: (reason) => void fatal.push(reason) })
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

  // kafkajs does not leave a group that it is joining. Kafka counted each such listener for 10 s more, in which the
  // group waited for it at every rebalance, and listeners that stopped during that wait were counted on too.
  it('leaves its group only after it has joined', async () => {
    const calls: string[] = []
    const [runs, joined] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const stopped = Promise.withResolvers<null>()
    const client = clientOf({
      run: async () => {
        runs.resolve()
        await joined.promise
        calls.push('joined')
      },
      disconnect: async () => void calls.push('left'),
    })
    const ended = runConsumer(optionsFor(client), stopped.promise)
    await runs.promise
    stopped.resolve(null)
    await setImmediate()
    assert.deepEqual(calls, [])
    joined.resolve()
    await ended
    assert.deepEqual(calls, ['joined', 'left'])
  })

  // It joined its group again after it had left.
  it('does not join if it is stopped before', async () => {
    const calls: string[] = []
    const [subscribes, subscribed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const stopped = Promise.withResolvers<null>()
    const client = clientOf({
      subscribe: () => {
        subscribes.resolve()
        return subscribed.promise
      },
      run: async () => void calls.push('joined'),
      disconnect: async () => void calls.push('left'),
    })
    const ended = runConsumer(optionsFor(client), stopped.promise)
    await subscribes.promise
    stopped.resolve(null)
    await ended
    subscribed.resolve()
    await setImmediate()
    assert.deepEqual(calls, ['left'])
  })
})
