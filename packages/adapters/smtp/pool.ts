import { every } from '@postrider/kit/every.ts'
import { runningWork } from '@postrider/kit/runningWork.ts'
import { refusedConnectionMs } from '@postrider/mail/smtpLimits.ts'
import type { NoSession, Session } from './session.ts'

export type PoolOptions = {
  open(): Promise<Session | NoSession>
  /** Maximum number of connections at the same time. */
  connections: number
  messagesPerConnection: number
  /** A connection that is unused for this time is closed soon after. */
  idleMs: number
}

/** Connections that are reused. A caller that finds none free waits in line. */
export type Pool = {
  acquire(): Promise<Session | NoSession>
  /** Opens a connection to replace a dead one. */
  replace(dead: Session): Promise<Session | NoSession>
  release(session: Session): void
  /** Sends QUIT on every connection. To be called when all have been released. */
  close(): Promise<void>
  /** Ends every connection immediately; waiting callers get none. */
  drop(reason: string): void
}

type Waiter = (session: Session | NoSession) => void

export const sessionPool = ({ open, connections, messagesPerConnection, idleMs }: PoolOptions): Pool => {
  const waiting: Waiter[] = []
  const live = new Set<Session>()
  const quitting = runningWork()
  const slots = connectionSlots(connections)
  let stopped: NoSession | null = null

  const forget = (session: Session): void => {
    live.delete(session)
    slots.release()
    refill()
  }
  const retire = (session: Session): void => {
    quitting.track(quit(session))
    forget(session)
  }
  const idle = idleSessions(idleMs, retire)

  const openOne = async (): Promise<Session | NoSession> => {
    const opened = stopped ?? (await open())
    if (!('connection' in opened)) return onRefused(opened)
    if (stopped !== null) opened.connection.drop(stopped.reason)
    live.add(opened)
    // A connection that is lost while in use is noticed when it is released.
    opened.connection.onLost(() => {
      if (idle.remove(opened)) forget(opened)
    })
    return opened
  }

  /** A server that refuses one more connection while others work has enough: the message waits for one of those. */
  const onRefused = (refused: NoSession): Promise<Session | NoSession> | Session | NoSession => {
    slots.release()
    const free = idle.take()
    if (free !== undefined) return free
    if (slots.used() > 0 && stopped === null) {
      slots.limitToUsed()
      return new Promise((resolve) => waiting.unshift(resolve))
    }
    slots.removeLimit()
    for (const resolve of waiting.splice(0)) resolve(refused)
    return refused
  }

  const openFor = (waiter?: Waiter): void => void openOne().then(waiter)
  const refill = (): void => {
    while (waiting.length > 0 && slots.take()) openFor(waiting.shift())
  }

  return {
    acquire: () => {
      const free = idle.take()
      if (free !== undefined) return Promise.resolve(free)
      const { promise, resolve } = Promise.withResolvers<Session | NoSession>()
      waiting.push(resolve)
      refill()
      return promise
    },
    release: (session) => {
      if (session.connection.lost() !== null) forget(session)
      else if (session.carried >= messagesPerConnection) retire(session)
      else if (waiting.length > 0) waiting.shift()?.(session)
      else idle.put(session)
    },
    replace: (dead) => {
      live.delete(dead)
      return openOne()
    },
    close: async () => {
      for (const session of await idle.close()) retire(session)
      await quitting.ended()
    },
    drop: (reason) => {
      stopped = { reason, steps: [], connected: false, mayRetryPlain: false }
      for (const resolve of waiting.splice(0)) resolve(stopped)
      for (const session of live) session.connection.drop(reason)
    },
  }
}

/** RFC 5321 §4.1.1.10 requires the client to await the reply to QUIT; nothing depends on it. */
const quitMs = 5_000

const quit = async ({ connection }: Session): Promise<void> => {
  await connection.send('QUIT\r\n', 1, quitMs)
  connection.drop('closed')
}

/**
 * Counts connections, also those being opened: as many as configured, or fewer for a while after the server refused
 * one.
 */
const connectionSlots = (configured: number) => {
  let used = 0
  let limit = configured
  let limitedAt = 0
  return {
    /** @returns false when no slot is free */
    take: (): boolean => {
      if (performance.now() - limitedAt > refusedConnectionMs) limit = configured
      if (used >= limit) return false
      used++
      return true
    },
    release: (): void => {
      used--
    },
    used: (): number => used,
    limitToUsed: (): void => {
      limit = used
      limitedAt = performance.now()
    },
    removeLimit: (): void => {
      limit = configured
    },
  }
}

/**
 * Sessions that wait for their next message. The last one returned is taken first, so sessions that are not needed
 * grow old.
 * @param onOld called with each session that was unused for `idleMs`; it is removed then
 */
const idleSessions = (idleMs: number, onOld: (session: Session) => void) => {
  /** Oldest first. */
  let entries: { session: Session; since: number }[] = []
  const removeOld = (): void => {
    const before = performance.now() - idleMs
    const old = entries.filter(({ since }) => since <= before)
    entries = entries.slice(old.length)
    for (const { session } of old) onOld(session)
  }
  const sweeping = every(removeOld, {
    delayMs: () => idleMs / 2,
    // Closing does not fail; if it does, the process must not hide it.
    onError: (reason) => {
      throw reason
    },
  })
  return {
    put: (session: Session): void => {
      entries.push({ session, since: performance.now() })
    },
    take: (): Session | undefined => entries.pop()?.session,
    /** @returns false when the session is not idle */
    remove: (session: Session): boolean => {
      const count = entries.length
      entries = entries.filter((entry) => entry.session !== session)
      return entries.length < count
    },
    /** Removes and returns all sessions and stops the timer. */
    close: async (): Promise<Session[]> => {
      await sweeping[Symbol.asyncDispose]()
      return entries.splice(0).map(({ session }) => session)
    },
  }
}
