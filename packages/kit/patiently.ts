import { setTimeout as pause } from 'node:timers/promises'
import { Fault } from './fault.ts'
import type { Log } from './log.ts'

const againAfterMs = 1_000

/**
 * Opens what a process can't start without, again and again while it is `unavailable`: pods start in any order.
 * @param what its name, for the log
 * @throws Fault with the signal as its cause: the process is to stop and it never came; what else `open` throws
 */
export const patiently = async <T>(
  what: string,
  { log, stopping }: { log: Pick<Log, 'warn'>; stopping: AbortSignal },
  open: () => Promise<T>,
): Promise<T> => {
  for (;;) {
    try {
      return await open()
    } catch (thrown) {
      if (!(thrown instanceof Fault && thrown.code === 'unavailable')) throw thrown
      log.warn({ err: thrown.cause ?? thrown }, `${what} doesn't answer yet; trying again`)
    }
    await pause(againAfterMs, undefined, { signal: stopping }).catch(() => {})
    if (stopping.aborted) throw new Fault('unavailable', `Stopped while ${what} was away.`, { cause: stopping })
  }
}
