import type { Clock, Monotonic } from '@postrider/kit/clock.ts'
import { every } from '@postrider/kit/every.ts'
import type { Log } from '@postrider/kit/log.ts'
import { type Db, MongoServerError } from 'mongodb'
import { mapStoreErrors } from './errors.ts'

export type StoreClock = AsyncDisposable & {
  /** Returns the store's time in whole milliseconds since the epoch. */
  now: Clock
  /** Returns by how many milliseconds this machine's clock is ahead of the store's; negative: behind. */
  skewMs(): number
}

export type MongoClockOptions = {
  db: Pick<Db, 'command'>
  log: Pick<Log, 'info' | 'warn'>
  /** This machine's wall clock; only its skew is reported. */
  wallNow?: Clock
  /** A monotonic clock in milliseconds, from any origin. */
  monotonic?: Monotonic
  everyMs?: number
}

/** Round trip in milliseconds that ends the readings at start, and the maximum number of these readings. */
const [shortTripMs, maxReadingsAtStart] = [10, 5]

/**
 * A larger skew is logged, and again after it has changed by this amount; below half of it the skew counts as resolved.
 */
const loggedSkewMs = 30_000

/**
 * Follows the store's clock, which all processes share, so that leases, acceptance times and months agree between
 * machines. The clock is read every 10 s.
 * @throws Fault `unavailable`: the store does not respond to the first read
 */
export const mongoClock = async ({
  db,
  log,
  wallNow = Date.now,
  monotonic = performance.now.bind(performance),
  everyMs = 10_000,
}: MongoClockOptions): Promise<StoreClock> => {
  const time = storeTime()
  const now = (): number => time.at(monotonic())
  const skewMs = (): number => wallNow() - now()
  const logSkew = skewLogger(log)
  const readClock = clockReader(db)
  /** Reads the store's clock. @returns the round trip in milliseconds */
  const read = async (): Promise<number> => {
    const sentAt = monotonic()
    const storeMs = await mapStoreErrors(readClock)
    const receivedAt = monotonic()
    time.add({ sentAt, receivedAt, storeMs })
    logSkew(skewMs())
    return receivedAt - sentAt
  }
  // A starting process is busy, and half of a long round trip is the possible error of the time until the next reading.
  let tripMs = await read()
  for (let readings = 1; tripMs > shortTripMs && readings < maxReadingsAtStart; readings++) tripMs = await read()

  let isAway = false
  const readAgain = async (): Promise<void> => {
    await read()
    isAway = false
  }
  const onError = (err: unknown): void => {
    if (!isAway) log.warn({ err }, 'cannot read store clock, using last known offset')
    isAway = true
  }
  const reading = every(readAgain, { delayMs: () => everyMs, onError })
  return { now, skewMs, [Symbol.asyncDispose]: () => reading[Symbol.asyncDispose]() }
}

const commandNotFound = 59

/** Reads the store's time with a command that every server supports: `hello`, `isMaster` in older ones. */
const clockReader = (db: Pick<Db, 'command'>): (() => Promise<number>) => {
  let command: Record<string, 1> = { hello: 1 }
  return async () => {
    try {
      return Number((await db.command(command))['localTime'])
    } catch (thrown) {
      if (!(thrown instanceof MongoServerError) || thrown.code !== commandNotFound || 'isMaster' in command)
        throw thrown
      command = { isMaster: 1 }
      return Number((await db.command(command))['localTime'])
    }
  }
}

const skewLogger = (log: Pick<Log, 'info' | 'warn'>): ((skewMs: number) => void) => {
  let logged = 0
  return (skewMs) => {
    const size = Math.abs(skewMs)
    if (size > loggedSkewMs && Math.abs(skewMs - logged) > loggedSkewMs) {
      logged = skewMs
      log.warn({ skew_ms: skewMs }, 'machine clock is wrong, using store time')
    } else if (logged !== 0 && size < loggedSkewMs / 2) {
      logged = 0
      log.info({ skew_ms: skewMs }, 'clock skew resolved')
    }
  }
}

/** One reading of the store's clock. `sentAt` and `receivedAt` are monotonic times in milliseconds. */
export type ClockReading = { sentAt: number; receivedAt: number; storeMs: number }

/** The difference between store time and monotonic time, and its possible error. */
type Sample = { offsetMs: number; errorMs: number }

/** A minute of readings, in which monotonic clocks drift apart by a few milliseconds. */
const maxSamples = 6
/** How far two readings may differ in addition to their errors: clocks drift, or are adjusted gradually. */
const driftMs = 50
/** A step back of less than this stops the time instead. */
const maxStandstillMs = 5_000

/**
 * Estimates the store's time from readings of its clock. Between readings time advances with the monotonic clock, so
 * changes of this machine's wall clock have no effect, and time continues while the store is unavailable. Of the
 * readings that agree the one with the shortest round trip is used. A reading that contradicts earlier ones means that
 * the store's clock was set, or that another machine is primary now; the earlier ones are dropped.
 *
 * If the store's time steps back, this time stops until the store has caught up. A step of 5 s or more is followed: all
 * other processes use that time, and a process that stopped for so long would use leases beyond their end.
 */
export const storeTime = () => {
  let samples: Sample[] = []
  let offsetMs = 0
  let last = Number.NEGATIVE_INFINITY
  return {
    add: ({ sentAt, receivedAt, storeMs }: ClockReading): void => {
      const fresh = { offsetMs: storeMs - (sentAt + receivedAt) / 2, errorMs: (receivedAt - sentAt) / 2 }
      const doAgree = samples.every((sample) => agree(sample, fresh))
      samples = [...(doAgree ? samples : []), fresh].slice(-maxSamples)
      offsetMs = samples.reduce((best, sample) => (sample.errorMs < best.errorMs ? sample : best), fresh).offsetMs
    },
    /** Returns the store's time at a monotonic time. */
    at: (steadyMs: number): number => {
      const reading = Math.floor(steadyMs + offsetMs)
      last = last - reading < maxStandstillMs ? Math.max(last, reading) : reading
      return last
    },
  }
}

const agree = (one: Sample, other: Sample): boolean =>
  Math.abs(one.offsetMs - other.offsetMs) <= one.errorMs + other.errorMs + driftMs
