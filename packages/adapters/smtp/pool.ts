import { idleShelf } from './idleShelf.ts'
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
  /** Says QUIT on every connection nobody uses; to be called when all have come back. */
  close(): Promise<void>
  /** Ends every connection at once; who waits for one gets none. */
  drop(reason: string): void
}

/** How long a server's refusal of one more connection counts. */
const ceilingMs = 60_000
/** RFC 5321 §4.1.1.10 wants the reply to QUIT awaited; nothing hangs on it. */
const quitMs = 5_000

export const sessionPool = ({ open, connections, messagesPerConnection, idleMs }: PoolOptions): Pool => {
  const waiting: ((session: Session | NoSession) => void)[] = []
  const live = new Set<Session>()
  const quitting = new Set<Promise<void>>()
  /** Connections, and those being opened. */
  let count = 0
  let ceiling = connections
  let ceilingSince = 0
  let stopped: NoSession | null = null

  const quit = (session: Session): void => {
    const done = session.wire
      .ask('QUIT\r\n', 1, quitMs)
      .then(() => session.wire.drop('closed'))
      .finally(() => quitting.delete(done))
    quitting.add(done)
    forget(session)
  }

  const forget = (session: Session): void => {
    live.delete(session)
    count--
    refill()
  }

  const idle = idleShelf<Session>(idleMs, quit)

  const openOne = async (): Promise<Session | NoSession> => {
    const opened = stopped ?? (await open())
    if (!('wire' in opened)) {
      count--
      return orWait(opened)
    }
    if (stopped !== null) opened.wire.drop(stopped.reason)
    live.add(opened)
    // One that is lost while in use is missed when it comes back.
    opened.wire.onLost(() => {
      if (idle.remove(opened)) forget(opened)
    })
    return opened
  }

  /** A server that refuses one more connection while others work has its fill: the message waits for one of those. */
  const orWait = async (refused: NoSession): Promise<Session | NoSession> => {
    const free = idle.take()
    if (free !== undefined) return free
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

  return {
    take: () => {
      const free = idle.take()
      if (free !== undefined) return Promise.resolve(free)
      const { promise, resolve } = Promise.withResolvers<Session | NoSession>()
      waiting.push(resolve)
      refill()
      return promise
    },
    giveBack: (session) => {
      if (session.wire.lost() !== null) forget(session)
      else if (session.carried >= messagesPerConnection) quit(session)
      else if (waiting.length > 0) waiting.shift()?.(session)
      else idle.put(session)
    },
    replace: (dead) => {
      live.delete(dead)
      return openOne()
    },
    close: async () => {
      for (const session of idle.clear()) quit(session)
      await Promise.all(quitting)
    },
    drop: (reason) => {
      stopped = { reason, steps: [], connected: false, plain: false }
      for (const resolve of waiting.splice(0)) resolve(stopped)
      for (const session of live) session.wire.drop(reason)
    },
  }
}
