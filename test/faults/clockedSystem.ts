import { makeLog } from '@postrider/kit/log.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import { Config } from '../../services/standalone/config.ts'
import { serve } from '../../services/standalone/serve.ts'
import { standaloneMetrics, startStandalone } from '../../services/standalone/standalone.ts'
import { type Client, connect } from '../support/client.ts'
import { type SinkOptions, type SmtpSink, smtpSink } from '../support/smtpSink.ts'
import { makeDataDirectory, operatorToken, removeDataDirectory } from '../support/standalone.ts'

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
  const data = await makeDataDirectory()
  stack.defer(() => removeDataDirectory(data))
  let at = start
  const config = Config.parse({
    PORT: '0',
    POSTRIDER_DATA: data,
    POSTRIDER_ROUTE: `smtp://127.0.0.1:${sink.port}`,
    POSTRIDER_OPERATOR_TOKEN: operatorToken,
    POSTRIDER_TRUSTED_PROXIES: '127.0.0.0/8',
    ...env,
  })
  const log = makeLog('faults', 'silent')
  const metrics = makeMetrics(standaloneMetrics)
  const onFatal = (reason: unknown): void => {
    throw new Error('the service reported a fatal error', { cause: reason })
  }
  // Rate limits also fill in real time: a test that makes many requests does not move the clock for each.
  const elapsed = (): number => performance.now() + at - start
  const service = stack.use(await startStandalone({ config, log, metrics, onFatal, now: () => at, elapsed }))
  const { url } = stack.use(await serve({ config, log, metrics, service }))
  const client = connect(url, operatorToken)
  stack.defer(() => client.close())
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
