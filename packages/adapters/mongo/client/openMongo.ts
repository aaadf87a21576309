import type { Clock } from '@postrider/kit/clock.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { Readiness } from '@postrider/kit/readiness.ts'
import { retryUntilAvailable } from '@postrider/kit/retry.ts'
import type { Open } from '@postrider/kit/run.ts'
import type { Db } from 'mongodb'
import { mongoClock } from './clock.ts'
import { connectMongo, ensureIndexes, type Indexes } from './connect.ts'

/** A clock this far from the store's means that something is very wrong with the machine. */
const mostSkewMs = 300_000

type Given = {
  open: Open
  url: string
  /** Of the process. */
  name: string
  /** Of the collections this service owns. */
  indexes?: Indexes
  log: Log
  readiness: Readiness
}

/** Opens the records for a process: waits for the store, makes the indexes it owns, and takes the time from it. */
export const openMongo = async ({
  open,
  url,
  name,
  indexes,
  log,
  readiness,
}: Given): Promise<{ db: Db; now: Clock }> => {
  const wait = { log, stopping: open.stopping }
  readiness.needs('mongodb', notYet)
  const mongo = open.use(await retryUntilAvailable('MongoDB', wait, () => connectMongo({ url, name })))
  readiness.needs('mongodb', mongo.ping)
  if (indexes) await retryUntilAvailable('MongoDB', wait, () => ensureIndexes(mongo.db, indexes))
  const clock = open.use(await retryUntilAvailable('MongoDB', wait, () => mongoClock({ db: mongo.db, log })))
  readiness.needs('clock', () => Math.abs(clock.skewMs()) <= mostSkewMs)
  return { db: mongo.db, now: clock.now }
}

const notYet = (): never => {
  throw new Error('doesn’t answer yet')
}
