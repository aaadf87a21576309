import { AsyncLocalStorage } from 'node:async_hooks'
import type { Intake } from '@postrider/contracts/services.ts'
import type { SystemMessage } from '@postrider/domain/email/systemMessage.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Log } from '@postrider/kit/log.ts'
import { pauseInBackground } from '@postrider/kit/pause.ts'
import { backoffs, retry } from '@postrider/kit/retry.ts'
import { runningWork } from '@postrider/kit/runningWork.ts'
import type { SystemMail } from '@postrider/ports/systemMail.ts'
import type { AccountsMetrics } from './metrics.ts'

/**
 * Sends system mail after the response to the request that caused it. The response does not wait for intake, and its
 * duration does not show whether an email is sent.
 *
 * Reads of the store for an email are also made after the response. While intake or the store is unavailable, the work
 * is retried for a quarter of an hour. Mail waits in memory only: if its process stops, or the last retry fails, it is
 * lost, and the person has to request it again.
 */
export type MailQueue = AsyncDisposable & {
  /** @param compose makes the messages, none or several; it is repeated until it succeeds once */
  post(compose: () => Promise<readonly SystemMessage[]>): void
  /** Waits until no mail is in flight. */
  idle(): Promise<void>
}

export type MailQueueOptions = {
  mail: SystemMail
  log: Pick<Log, 'warn' | 'error'>
  metrics: Pick<AccountsMetrics, 'systemMail'>
  /** Waits between two tries; ends early when the queue is closed. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** Maximum number of messages in flight, of some kilobytes each. */
const maxPending = 1_000
/** Tries of one piece of work; with the delays of `backoffs.systemMail` about a quarter of an hour. */
const maxTries = 35

const mayRepeat = (error: unknown): boolean =>
  error instanceof Fault && ['unavailable', 'rate_limited', 'idempotency_in_flight'].includes(error.code)

export const mailQueue = ({ mail, log, metrics, pause = pauseInBackground }: MailQueueOptions): MailQueue => {
  // Outside of the request: an email is not part of the commit of the request, and is not aborted with it.
  const outsideRequest = AsyncLocalStorage.snapshot()
  const closing = new AbortController()
  const pending = runningWork()

  const repeated = <T>(work: () => Promise<T>): Promise<T> =>
    retry(work, {
      backoff: backoffs.systemMail,
      shouldRetry: (ended, { failures }) => {
        if (!('error' in ended) || !mayRepeat(ended.error) || failures >= maxTries || closing.signal.aborted)
          return false
        if (failures === 1) log.warn({ err: ended.error }, 'system mail failed, retrying')
        return true
      },
      pause: (ms) => pause(ms, closing.signal),
    })

  const sendAll = async (compose: () => Promise<readonly SystemMessage[]>): Promise<void> => {
    try {
      for (const message of await repeated(compose)) {
        await repeated(() => mail.send(message))
        metrics.systemMail.inc({ outcome: 'accepted' })
      }
    } catch (thrown) {
      metrics.systemMail.inc({ outcome: 'failed' })
      log.error({ err: thrown }, 'system mail failed')
    }
  }

  const idle = async (): Promise<void> => {
    while (pending.size() > 0) await pending.ended()
  }

  return {
    post: (compose) => {
      if (pending.size() >= maxPending || closing.signal.aborted) {
        metrics.systemMail.inc({ outcome: 'failed' })
        log.error({ pending: pending.size() }, 'system mail queue full')
        return
      }
      pending.track(outsideRequest(() => Promise.resolve().then(() => sendAll(compose))))
    },
    idle,
    [Symbol.asyncDispose]: async () => {
      closing.abort()
      await idle()
    },
  }
}

/** Returns the system mail over intake: a function in standalone, a gRPC client in a cluster. */
export const systemMail = (intake: Pick<Intake, 'SendSystemMail'>): SystemMail => ({
  send: async (message) => {
    await intake.SendSystemMail({ ...message, html: message.html || null })
  },
})
