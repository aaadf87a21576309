import '@postrider/kit/telemetry.ts'
import { openNameWatch } from '@postrider/adapters/dns/names.ts'
import { addressOf, kafkaClients } from '@postrider/adapters/kafka/client.ts'
import { makeTopics } from '@postrider/adapters/kafka/topics.ts'
import { allIndexes } from '@postrider/adapters/mongo/allIndexes.ts'
import { ensureIndexes } from '@postrider/adapters/mongo/client/connect.ts'
import { claimDatabase } from '@postrider/adapters/mongo/client/installation.ts'
import { waitForMongo } from '@postrider/adapters/mongo/client/openMongo.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { logLifecycle } from '@postrider/kit/lifecycle.ts'
import { makeLog } from '@postrider/kit/log.ts'
import { retryUntilAvailable } from '@postrider/kit/retry.ts'
import { type Open, run } from '@postrider/kit/run.ts'
import { Config } from './config.ts'

/** Limit of silence of a dependency, short enough that the reason is reported before the Job's deadline. */
const silentMs = 60_000

/**
 * Checks that the database belongs to this installation, creates missing indexes and topics, and exits. Every service
 * does that at its start too; with this step before an upgrade no pod of the new version waits for a long index build.
 */
const prepare = async (open: Open, config: Config): Promise<void> => {
  const log = makeLog('prepare', config.LOG_LEVEL, { redact: open.redact })
  logLifecycle(open, log, null)()
  openNameWatch({ open, config, log })
  const wait = { log, stopping: open.stopping, silence: { maxMs: silentMs, elapsedMs: () => performance.now() } }
  const { db, ping } = open.use(await waitForMongo({ url: config.MONGODB_URL, name: 'prepare' }, wait))
  const isReachable = () =>
    ping().then(
      () => true,
      () => false,
    )
  await retryUntilAvailable('MongoDB', { ...wait, isReachable }, () => claimDatabase(db, config))
  // An index over many emails takes minutes. The server continues the build after a call has timed out.
  await retryUntilAvailable('MongoDB', { ...wait, isReachable }, () => ensureIndexes(db, allIndexes))
  log.info({ collections: Object.keys(allIndexes) }, 'indexes exist')
  const newClient = kafkaClients({ ...addressOf('prepare', config), log })
  await retryUntilAvailable('Kafka', wait, () => makeTopics({ client: newClient(), config, log }))
  log.info('topics exist')
  open.finish()
}

await run('prepare', readConfig(Config, process.env), prepare, { isTask: true })
