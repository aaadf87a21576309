import { setTimeout as wait } from 'node:timers/promises'
import { Fault } from './fault.ts'
import type { Log } from './log.ts'
import { reasonOf } from './origin.ts'

const againAfterMs = 1_000

export type Patience = {
  log: Pick<Log, 'warn'>
  stopping: AbortSignal
  /** How long it may be away; not given: for ever, as services do. */
  most?: { silentMs: number; elapsedMs(): number }
  /** Between two tries; resolves early where the process is to stop. */
  pause?: (ms: number) => Promise<unknown>
}

/**
 * Opens what a process can't start without, again and again while it is `unavailable`: pods start in any order.
 * @param what its name, for the log
 * @param answers whether it is there all the same: while it is, what takes long isn't silence
 * @throws Fault with the signal as its cause: the process is to stop and it never came; `unavailable`: it was away for
 * too long; what else `open` throws
 */
export const patiently = async <T>(
  what: string,
  { log, stopping, most, pause = (ms) => wait(ms, undefined, { signal: stopping }).catch(() => {}) }: Patience,
  open: () => Promise<T>,
  answers: () => Promise<boolean> = async () => false,
): Promise<T> => {
  let heardAt = most?.elapsedMs() ?? 0
  for (;;) {
    try {
      return await open()
    } catch (thrown) {
      if (!(thrown instanceof Fault && thrown.code === 'unavailable')) throw thrown
      const cause = thrown.cause ?? thrown
      if (most && (await answers())) heardAt = most.elapsedMs()
      if (most && most.elapsedMs() - heardAt >= most.silentMs) {
        throw new Fault('unavailable', `Waited ${most.silentMs / 1_000} s for ${what} in vain.`, { cause })
      }
      log.warn({ reason: reasonOf(cause) }, `${what} doesn't answer yet; trying again`)
    }
    await pause(againAfterMs)
    if (stopping.aborted) throw new Fault('unavailable', `Stopped while ${what} was away.`, { cause: stopping })
  }
}
