import { join } from 'node:path'
import { openAccounts } from '@postrider/accounts/accounts.ts'
import { accountsMetrics } from '@postrider/accounts/metrics.ts'
import { memoryDoorbell } from '@postrider/adapters/memory/doorbell.ts'
import { memoryLimiter } from '@postrider/adapters/memory/limiter.ts'
import { spaceFault } from '@postrider/adapters/sqlite/diskSpace.ts'
import { openTransports } from '@postrider/adapters/transports.ts'
import { defaultConcurrency } from '@postrider/dispatcher/config.ts'
import { openDispatcher } from '@postrider/dispatcher/dispatcher.ts'
import { dispatcherMetrics } from '@postrider/dispatcher/metrics.ts'
import { reportParked } from '@postrider/dispatcher/observe.ts'
import { gatewayMetrics } from '@postrider/gateway/metrics.ts'
import { openIntake } from '@postrider/intake/intake.ts'
import { intakeMetrics } from '@postrider/intake/metrics.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { MetricRegistry, Metrics } from '@postrider/kit/metrics.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import { quotaService } from '@postrider/quota/quota.ts'
import { templatesService } from '@postrider/templates/templates.ts'
import type { Config } from './config.ts'
import { openStore } from './store.ts'

/** Declares the metrics of every service in the one process. */
export const standaloneMetrics = (registry: MetricRegistry) => ({
  ...gatewayMetrics(registry),
  ...accountsMetrics(registry),
  ...intakeMetrics(registry),
  ...dispatcherMetrics(registry),
})

export type StandaloneMetrics = Metrics & ReturnType<typeof standaloneMetrics>

type StandaloneOptions = {
  config: Config
  log: Log
  metrics: StandaloneMetrics
  /** Called with an error after which the process must end. */
  onFatal(reason: unknown): void
  now?: Clock
  random?: () => number
}

/** One line when the disk becomes full and one when it has space again: every write in between fails for the same reason. */
const reportDisk =
  (log: Log) =>
  (reason: unknown): void => {
    if (reason === null) log.info('disk has space again, writes succeed')
    else log.error({ err: reason }, 'disk is full, writes fail and reads continue')
  }

/**
 * Runs all services in one process: each gets the functions of the others where a cluster puts gRPC between them.
 * Disposing stops accepting work, finishes the work in progress and closes the store last.
 */
export const startStandalone = async ({
  config,
  log,
  metrics,
  onFatal,
  now = Date.now,
  random = Math.random,
}: StandaloneOptions) => {
  const stack = new AsyncDisposableStack()
  try {
    const onParked = reportParked(log, metrics)
    // One for all services: in a turn of the event loop one slice of long work runs, whichever service it is for.
    const slices = makeSlices()
    const onDiskFull = reportDisk(log)
    const store = stack.use(await openStore(config.POSTRIDER_DATA, { onFatal, onParked, onDiskFull, slices }))
    const { db: durable, audit, emails, idempotency, mailbox, suspensions } = store
    const limiter = memoryLimiter()
    const doorbell = memoryDoorbell()
    const signup = config.POSTRIDER_SIGNUP
    const { accounts, ensureFirstWorkspace } = openAccounts({
      accounts: store.accounts,
      audit,
      limiter,
      now,
      metrics,
      signup,
      ledger: store.ledger,
      defaultPlan: config.POSTRIDER_DEFAULT_PLAN,
    })
    const quota = quotaService({ ledger: store.ledger, audit, now })
    const mostTemplates = config.POSTRIDER_MAX_TEMPLATES
    const templates = templatesService({ templates: store.templates, audit, now, mostTemplates, slices })
    const common = { config, log, metrics, now, random, slices }
    const { intake } = stack.use(
      openIntake({ ...common, emails, idempotency, mailbox, audit, suspensions, durable, quota, templates, doorbell }),
    )
    const outgoing = {
      mailRoute: config.POSTRIDER_ROUTE,
      connections: config.POSTRIDER_CONNECTIONS,
      sender: config.POSTRIDER_SENDER,
      mailbox,
      now,
      log,
    }
    const work = stack.use(
      openDispatcher({
        emails,
        suspensions,
        durable,
        doorbell,
        transports: openTransports(outgoing),
        concurrency: defaultConcurrency,
        maxMessageBytes: config.POSTRIDER_MAX_MESSAGE_MIB,
        now,
        random,
        log,
        metrics,
        slices,
      }),
    )
    return {
      accounts,
      quota,
      templates,
      intake,
      store,
      limiter,
      slices,
      /** Creates the first workspace, if there is none, for a caller that can show its owner and key. */
      makeFirst: async () => {
        try {
          const first = await ensureFirstWorkspace()
          await durable.settled()
          return first
        } catch (thrown) {
          throw spaceFault(join(config.POSTRIDER_DATA, 'postrider.db'), thrown)
        }
      },
      drain: work.drain,
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (thrown) {
    await stack.disposeAsync()
    throw thrown
  }
}
