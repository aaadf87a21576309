import type { Client } from '../support/client.ts'
import { ownService } from '../support/ownService.ts'
import { type SinkOptions, type SmtpSink, smtpSink } from '../support/smtpSink.ts'

/** The whole service in this process, with a clock that only moves by `advance`. */
export type ClockedSystem = AsyncDisposable & {
  client: Client
  sink: SmtpSink
  /** Moves the clock. Mail that becomes due is delivered by `drain`. */
  advance(ms: number): void
  /** Works until nothing is due at the time of the clock. */
  drain(): Promise<void>
  /** Closes every month that can be closed. */
  closeMonths(): Promise<boolean>
  /** Removes every workspace whose deletion is due. */
  eraseWorkspaces(): Promise<void>
  /** The data directory. */
  data: string
  /** Assesses the rates of bounces and complaints, and accepts the emails to members that are due. */
  notify(): Promise<void>
  /** Reads the feed, and sends every webhook that is due. */
  sendWebhooks(): Promise<void>
  /** Removes the log of webhooks that is stored long enough. */
  purgeWebhooks(): Promise<void>
}

export const minutes = (count: number): number => count * 60_000

/** A morning far from the end of the month: tests move the clock by hours, and sends are counted by month. */
const aMorning = Date.UTC(2026, 10, 21, 6)

/** @param start time of the clock at the start @param env more variables */
export const clockedSystem = async (
  sinkOptions: SinkOptions = {},
  start = aMorning,
  env: Record<string, string> = {},
): Promise<ClockedSystem> => {
  const stack = new AsyncDisposableStack()
  const sink = stack.use(await smtpSink(sinkOptions))
  let at = start
  // Rate limits also fill in real time: a test that makes many requests does not move the clock for each.
  const elapsed = (): number => performance.now() + at - start
  const route = { POSTRIDER_ROUTE: `smtp://127.0.0.1:${sink.port}` }
  const { client, service, data } = stack.use(await ownService({ ...route, ...env }, { now: () => at, elapsed }))
  return {
    client,
    sink,
    advance: (ms) => {
      at += ms
    },
    drain: service.drain,
    closeMonths: service.closeMonths,
    eraseWorkspaces: service.eraseWorkspaces,
    data,
    sendWebhooks: service.sendWebhooks,
    purgeWebhooks: async () => {
      await service.purgeWebhooks()
    },
    notify: async () => {
      await service.assessReputations()
      await service.notifyDue()
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
