import { nextDueOf } from '@postrider/domain/email/due.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Durable } from '@postrider/ports/durable.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'

export type KeepDeps = {
  emails: Pick<EmailStore, 'write'>
  durable: Durable
  now: Clock
  pause(ms: number): Promise<void>
  /** Aborted when the process is to stop. */
  stopping: Pick<AbortSignal, 'aborted'>
}

const againAfterMs = 500
/** Once the process is to stop: a part of the time it is given. A store that is away may take seconds to say so. */
const whenStoppingMs = 5_000

/** Whether a store can't be asked right now; such as a full disk, it passes. */
export const isUnavailable = (thrown: unknown): boolean => thrown instanceof Fault && thrown.code === 'unavailable'

/**
 * Writes an outcome under the fence and waits for the disk. While the store can't keep it, it is tried again: of a
 * message that is out of the house only we know what became of it, and the fence tells when it is ours no longer.
 * @returns false: another worker has the email
 * @throws Fault `unavailable`: the process stops and the store doesn't come back
 */
export const keep = async (
  { emails, durable, now, pause, stopping }: KeepDeps,
  email: Email,
  fence: number,
  { done }: { done: boolean },
): Promise<boolean> => {
  const change = { email, nextAt: nextDueOf(email), done }
  for (let until = Infinity; ; ) {
    try {
      if (!(await emails.write(email.id, fence, change))) return false
      await durable.settled()
      return true
    } catch (thrown) {
      if (stopping.aborted) until = Math.min(until, now() + whenStoppingMs)
      if (!isUnavailable(thrown) || now() >= until) throw thrown
      await pause(againAfterMs)
    }
  }
}
