import type { NoSession, Session } from './session.ts'

export type PoolOptions = {
  open(): Promise<Session | NoSession>
  /** Most connections at once. */
  connections: number
  messagesPerConnection: number
  /** How long a connection may wait for its next message. */
  idleMs: number
}

/** Connections kept and reused; who finds none free waits in line. */
export type Pool = {
  take(): Promise<Session | NoSession>
  /** A new connection in the place of one that was found dead. */
  replace(dead: Session): Promise<Session | NoSession>
  giveBack(session: Session): void
  /** Says QUIT on every connection nobody uses, and on the others when they come back. */
  close(): Promise<void>
  /** Ends every connection at once; who waits for one gets none. */
  drop(reason: string): void
}

/** How long a server's refusal of one more connection counts. */
const ceilingMs = 60_000
/** RFC 5321 §4.1.1.10 wants the reply to QUIT awaited; nothing hangs on it. */
const quitMs = 5_000

export const sessionPool = ({ open, connections, messagesPerConnection, idleMs }: PoolOptions): Pool => {
  const idle: { session: Session; since: number }[] = []
  const waiting: ((session: Session | NoSession) => void)[] = []
  const live = new Set<Session>()
  const quitting = new Set<Promise<void>>()
  /** Connections, and those being opened. */
  let count = 0
  let ceiling = connections
  let ceilingSince = 0
  let sweepTimer: NodeJS.Timeout | null = null
  let closed = false
  let stopped: NoSession | null = null

  const quit = (session: Session): void => {
    live.delete(session)
    const done = session.wire
      .ask('QUIT\r\n', 1, quitMs)
      .then(() => session.wire.drop('closed'))
      .finally(() => quitting.delete(done))
    quitting.add(done)
  }

  const forget = (session: Session): void => {
    live.delete(session)
    count--
    refill()
  }

  /** One in use is missed when it comes back. */
  const forgetIdle = (session: Session): void => {
    const at = idle.findIndex((entry) => entry.session === session)
    if (at === -1) return
    idle.splice(at, 1)
    forget(session)
  }

  const openOne = async (): Promise<Session | NoSession> => {
    const opened = stopped ?? (await open())
    if ('wire' in opened) {
      if (stopped !== null) opened.wire.drop(stopped.reason)
      live.add(opened)
      opened.wire.onLost(() => forgetIdle(opened))
      return opened
    }
    count--
    return orWait(opened)
  }

  /** A server that refuses one more connection while others work has its fill: the message waits for one of those. */
  const orWait = async (refused: NoSession): Promise<Session | NoSession> => {
    const free = idle.pop()
    if (free !== undefined) return free.session
    if (count === 0 || stopped !== null) {
      ceiling = connections
      for (const resolve of waiting.splice(0)) resolve(refused)
      return refused
    }
    ceiling = Math.max(1, count)
    ceilingSince = performance.now()
    return new Promise((resolve) => waiting.unshift(resolve))
  }

  const refill = (): void => {
    if (performance.now() - ceilingSince > ceilingMs) ceiling = connections
    while (count < ceiling) {
      const resolve = waiting.shift()
      if (resolve === undefined) return
      count++
      void openOne().then(resolve)
    }
  }

  const sweep = (): void => {
    sweepTimer = null
    const before = performance.now() - idleMs
    const next = idle.findIndex((entry) => entry.since > before)
    for (const { session } of idle.splice(0, next === -1 ? idle.length : next)) {
      count--
      quit(session)
    }
    const [oldest] = idle
    if (oldest !== undefined) sweepIn(oldest.since - before)
  }

  const sweepIn = (ms: number): void => {
    sweepTimer = setTimeout(sweep, ms)
    sweepTimer.unref()
  }

  const keep = (session: Session): void => {
    idle.push({ session, since: performance.now() })
    if (sweepTimer === null) sweepIn(idleMs)
  }

  const take = (): Promise<Session | NoSession> => {
    const free = idle.pop()
    if (free !== undefined) return Promise.resolve(free.session)
    const { promise, resolve } = Promise.withResolvers<Session | NoSession>()
    waiting.push(resolve)
    refill()
    return promise
  }

  const giveBack = (session: Session): void => {
    const gone = session.wire.lost() !== null
    const worn = closed || session.carried >= messagesPerConnection
    if (worn && !gone) quit(session)
    if (worn || gone) forget(session)
    else if (waiting.length > 0) waiting.shift()?.(session)
    else keep(session)
  }

  return {
    take,
    giveBack,
    replace: (dead) => {
      live.delete(dead)
      return openOne()
    },
    close: async () => {
      closed = true
      if (sweepTimer !== null) clearTimeout(sweepTimer)
      for (const { session } of idle.splice(0)) quit(session)
      await Promise.all(quitting)
    },
    drop: (reason) => {
      stopped = { reason, steps: [], connected: false, plain: false }
      for (const resolve of waiting.splice(0)) resolve(stopped)
      for (const session of live) session.wire.drop(reason)
    },
  }
}
