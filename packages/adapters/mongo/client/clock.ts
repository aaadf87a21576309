import type { Clock } from '@postrider/kit/clock.ts'
import type { Log } from '@postrider/kit/log.ts'
import { type Db, MongoServerError } from 'mongodb'
import { reach } from './connect.ts'
import { storeTime } from './storeTime.ts'

export type StoreClock = AsyncDisposable & {
  /** The store's time, in whole milliseconds since the epoch. */
  now: Clock
  /** By how much this machine's own clock is ahead of the store's, in milliseconds; negative: behind. */
  skewMs(): number
}

type Given = {
  db: Pick<Db, 'command'>
  log: Pick<Log, 'info' | 'warn'>
  /** This machine's own clock; only what it is off by is told. */
  now?: Clock
  /** A clock that nobody sets, in milliseconds since whenever. */
  steadyNow?: () => number
  everyMs?: number
}

/** At the start it is looked at until the way was that short, so many times at most. */
const [shortWayMs, looksAtStart] = [10, 5]

/** A skew beyond this is told, and again when it changed by as much; below half of it all is well again. */
const toldFromMs = 30_000

/**
 * The time that all machines share, so that leases, times of acceptance and months agree between them: the store's
 * clock, looked at every 10 s.
 * @throws Fault `unavailable`: the store doesn't answer the first time
 */
export const mongoClock = async ({
  db,
  log,
  now: wallNow = Date.now,
  steadyNow = performance.now.bind(performance),
  everyMs = 10_000,
}: Given): Promise<StoreClock> => {
  const time = storeTime()
  const now = (): number => time.at(steadyNow())
  const skewMs = (): number => wallNow() - now()
  const tell = skewTeller(log)
  const ask = clockAsker(db)
  /** @returns how long the way there and back was */
  const look = async (): Promise<number> => {
    const askedAt = steadyNow()
    const storeMs = await reach(ask)
    const answeredAt = steadyNow()
    time.look({ askedAt, answeredAt, storeMs })
    tell(skewMs())
    return answeredAt - askedAt
  }
  // A process that starts is busy, and half of a long way is how wrong the time may be until the next look.
  let wayMs = await look()
  for (let looks = 1; wayMs > shortWayMs && looks < looksAtStart; looks++) wayMs = await look()
  return { now, skewMs, [Symbol.asyncDispose]: lookAgain(look, everyMs, log) }
}

/** @returns what ends it */
const lookAgain = (look: () => Promise<unknown>, everyMs: number, log: Given['log']): (() => Promise<void>) => {
  let isAway = false
  let looking: Promise<void> = Promise.resolve()
  const lookOnce = async (): Promise<void> => {
    try {
      await look()
      isAway = false
    } catch (thrown) {
      if (!isAway) log.warn({ err: thrown }, 'the store can’t tell its time; the time goes on from what it told last')
      isAway = true
    }
  }
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const again = (): void => {
    if (isOver) return
    timer = setTimeout(() => {
      looking = lookOnce().then(again)
    }, everyMs)
    timer.unref()
  }
  again()
  return async () => {
    isOver = true
    clearTimeout(timer)
    await looking
  }
}

const commandNotFound = 59

/** Asks for the store's time by the command that every server answers: `hello`, which older ones know as `isMaster`. */
const clockAsker = (db: Pick<Db, 'command'>): (() => Promise<number>) => {
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

const skewTeller = (log: Given['log']): ((skewMs: number) => void) => {
  let told = 0
  return (skewMs) => {
    const off = Math.abs(skewMs)
    if (off > toldFromMs && Math.abs(skewMs - told) > toldFromMs) {
      told = skewMs
      log.warn({ skew_ms: skewMs }, 'this machine’s clock is off; the store’s time is used')
    } else if (told !== 0 && off < toldFromMs / 2) {
      told = 0
      log.info({ skew_ms: skewMs }, 'this machine’s clock agrees with the store’s again')
    }
  }
}
