import type { Clock } from '@postrider/kit/clock.ts'
import { misfitLog } from '@postrider/kit/misfitLog.ts'
import type { ProcessParts } from '@postrider/kit/openProcess.ts'
import { type RetryUntilAvailableOptions, retryUntilAvailable } from '@postrider/kit/retry.ts'
import type { Db } from 'mongodb'
import { mongoClock } from './clock.ts'
import { connectMongo, ensureIndexes, type Indexes, type Mongo } from './connect.ts'
import { claimDatabase, type InstallationConfig } from './installation.ts'

/** A larger skew makes a process unready: something is very wrong with the machine. */
const maxSkewMs = 300_000

export type OpenMongoOptions = Omit<ProcessParts, 'metrics'> & {
  config: InstallationConfig & { MONGODB_URL: string }
  /** Indexes of the collections that this service owns. */
  indexes?: Indexes
}

/**
 * Connects to MongoDB when it is available. A process calls this once: if the driver runs without our patch, the
 * process logs one warning.
 */
export const waitForMongo = async (
  address: Parameters<typeof connectMongo>[0],
  wait: RetryUntilAvailableOptions,
  connect: typeof connectMongo = connectMongo,
): Promise<Mongo> => {
  const mongo = await retryUntilAvailable('MongoDB', wait, () => connect(address))
  if (mongo.unpatched !== null) misfitLog(wait.log, 'mongodb')(mongo.unpatched)
  return mongo
}

/**
 * Opens the store for a process: waits until it is available, checks that it belongs to this installation, creates the
 * service's indexes and follows its clock.
 */
export const openMongo = async ({
  open,
  config,
  name,
  indexes,
  log,
  readiness,
}: OpenMongoOptions): Promise<{ db: Db; now: Clock }> => {
  const wait = { log, stopping: open.stopping }
  readiness.needs('mongodb', () => {
    throw new Error('not connected yet')
  })
  const mongo = open.use(await waitForMongo({ url: config.MONGODB_URL, name }, wait))
  readiness.needs('mongodb', mongo.ping)
  await retryUntilAvailable('MongoDB', wait, () => claimDatabase(mongo.db, config))
  if (indexes) await retryUntilAvailable('MongoDB', wait, () => ensureIndexes(mongo.db, indexes))
  const clock = open.use(await retryUntilAvailable('MongoDB', wait, () => mongoClock({ db: mongo.db, log })))
  readiness.needs('clock', () => Math.abs(clock.skewMs()) <= maxSkewMs)
  return { db: mongo.db, now: clock.now }
}
