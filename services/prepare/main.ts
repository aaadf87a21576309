import '@postrider/kit/telemetry.ts'
import { makeTopics } from '@postrider/adapters/kafka/topics.ts'
import { allIndexes } from '@postrider/adapters/mongo/allIndexes.ts'
import { connectMongo, ensureIndexes } from '@postrider/adapters/mongo/client/connect.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { makeLog } from '@postrider/kit/log.ts'
import { retryUntilAvailable } from '@postrider/kit/retry.ts'
import { run } from '@postrider/kit/run.ts'
import { Config } from './config.ts'

/** Somebody waits for the end of this: it tells what is away in good time before the Job's deadline. */
const silentMs = 60_000

/**
 * Makes the indexes and topics that aren't there, and ends. Every service does so at its start too; done before, no pod
 * of a new version waits for an index over all that is kept.
 */
await run('prepare', readConfig(Config, process.env), async (open, config) => {
  const log = makeLog('prepare', config.LOG_LEVEL)
  const wait = { log, stopping: open.stopping, most: { silentMs, elapsedMs: () => performance.now() } }
  const { db, ping } = open.use(
    await retryUntilAvailable('MongoDB', wait, () => connectMongo({ url: config.MONGODB_URL, name: 'prepare' })),
  )
  const answers = () =>
    ping().then(
      () => true,
      () => false,
    )
  // Over much mail an index takes minutes, and goes on being built while nobody waits for the answer.
  await retryUntilAvailable('MongoDB', { ...wait, answers }, () => ensureIndexes(db, allIndexes))
  log.info({ collections: Object.keys(allIndexes) }, 'indexes are there')
  await retryUntilAvailable('Kafka', wait, () => makeTopics({ name: 'prepare', config, log }))
  log.info('topics are there')
  open.finish()
})
