import { join } from 'node:path'
import { accountsMetrics } from '@postrider/accounts/metrics.ts'
import { openAccounts } from '@postrider/accounts/openAccounts.ts'
import { dnsResolver } from '@postrider/adapters/dns/resolver.ts'
import { emailsWithHints, endpointsThatRefresh, hintedWorkspaces } from '@postrider/adapters/eventHints.ts'
import { addressResolver } from '@postrider/adapters/http/addresses.ts'
import { webhookClient } from '@postrider/adapters/http/webhookClient.ts'
import { memoryDoorbell, memoryHints } from '@postrider/adapters/memory/doorbell.ts'
import { memoryLimiter } from '@postrider/adapters/memory/limiter.ts'
import { openPayments } from '@postrider/adapters/payments.ts'
import { spaceFault } from '@postrider/adapters/sqlite/client/diskSpace.ts'
import { openTransports } from '@postrider/adapters/transports.ts'
import { defaultConcurrency } from '@postrider/dispatcher/config.ts'
import { openDispatcher } from '@postrider/dispatcher/dispatcher.ts'
import { dispatcherMetrics, reportParked } from '@postrider/dispatcher/metrics.ts'
import { webhookRules } from '@postrider/domain/webhooks/url.ts'
import { openDomains } from '@postrider/domains/domains.ts'
import { domainsMetrics } from '@postrider/domains/metrics.ts'
import { gatewayMetrics } from '@postrider/gateway/metrics.ts'
import { openIntake } from '@postrider/intake/intake.ts'
import { intakeMetrics } from '@postrider/intake/metrics.ts'
import type { Clock, Monotonic } from '@postrider/kit/clock.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { MetricRegistry, Metrics } from '@postrider/kit/metrics.ts'
import { bytesOf } from '@postrider/kit/settings.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import type { Durable } from '@postrider/ports/durable.ts'
import { quotaMetrics } from '@postrider/quota/metrics.ts'
import { openQuota } from '@postrider/quota/quota.ts'
import { openTemplates } from '@postrider/templates/templates.ts'
import { webhooksMetrics } from '@postrider/webhooks/metrics.ts'
import { openWebhooks } from '@postrider/webhooks/webhooks.ts'
import type { Config } from './config.ts'
import { masterKeys } from './secret.ts'
import { openStore } from './store.ts'

/*
 * All services in one process: this file wires them over one SQLite file, which store opens. dataFiles makes the files
 * of its directory private, secret reads or makes the master key and the operator's token, serve opens the ports, and
 * banner is what a start prints. writeConfigDocs writes docs/config.md for both compositions.
 */

/** Declares the metrics of every service in the one process. */
export const standaloneMetrics = (registry: MetricRegistry) => ({
  ...gatewayMetrics(registry),
  ...accountsMetrics(registry),
  ...intakeMetrics(registry),
  ...dispatcherMetrics(registry),
  ...domainsMetrics(registry),
  ...quotaMetrics(registry),
  ...webhooksMetrics(registry),
})

export type StandaloneMetrics = Metrics & ReturnType<typeof standaloneMetrics>

/** Address of links in emails that are sent before the gateway listens. */
const defaultUrl = 'http://localhost:8080'

type StandaloneOptions = {
  config: Config
  log: Log
  metrics: StandaloneMetrics
  /** Called with an error after which the process must end. */
  onFatal(reason: unknown): void
  now?: Clock
  /** Clock of the rate limits. */
  elapsed?: Monotonic
  random?: () => number
}

/**
 * Logs once when the disk becomes full and once when it has space again: every write in between fails for the same
 * reason.
 */
const reportDisk =
  (log: Log) =>
  (reason: unknown): void => {
    if (reason === null) log.info('disk space available, writes resumed')
    else log.error({ err: reason }, 'disk is full, writes fail and reads continue')
  }

/** Returns a function that waits until what a part of the start writes is durable. */
const writingOfStart =
  (db: Pick<Durable, 'synced'>, path: string) =>
  async <T>(writing: Promise<T>): Promise<T> => {
    try {
      const written = await writing
      await db.synced()
      return written
    } catch (thrown) {
      throw spaceFault(path, thrown)
    }
  }

/** What all services of the process share. */
const openShared = async (stack: AsyncDisposableStack, options: StandaloneOptions) => {
  const { config, log, metrics, onFatal, now = Date.now, random = Math.random } = options
  const { elapsed = performance.now.bind(performance) } = options
  const onParked = reportParked(log, metrics)
  // One for all services: per event loop iteration one slice of long work runs, of any of them.
  const slices = makeSlices()
  const onDiskFull = reportDisk(log)
  const store = stack.use(await openStore(config.POSTRIDER_DATA, { onFatal, onParked, onDiskFull, slices, now }))
  const hints = memoryHints()
  const workspaces = stack.use(hintedWorkspaces({ endpoints: store.webhooks.endpoints, log }))
  return {
    config,
    log,
    metrics,
    now,
    random,
    slices,
    store,
    durable: store.db,
    stored: writingOfStart(store.db, join(config.POSTRIDER_DATA, 'postrider.db')),
    secrets: masterKeys(config.POSTRIDER_DATA, config.POSTRIDER_SECRET),
    // The gateway measures durations, the other services pass the time of day.
    limiter: memoryLimiter({ elapsed }),
    doorbell: memoryDoorbell(),
    hints,
    workspaces,
    emails: emailsWithHints({ emails: store.emails, hints, workspaces, durable: store.db }),
  }
}

type Shared = Awaited<ReturnType<typeof openShared>>

const openOwnQuota = async (stack: AsyncDisposableStack, { store, ...shared }: Shared) => {
  const { ledger, billing, accounts } = store
  return stack.use(openQuota({ ...shared, ledger, billing, accounts, payments: await openPayments(shared.config) }))
}

const ownTemplates = ({ store, config, now, slices }: Shared) =>
  openTemplates({
    templates: store.templates,
    now,
    maxTemplates: config.POSTRIDER_MAX_TEMPLATES,
    maxVersions: config.POSTRIDER_MAX_TEMPLATE_VERSIONS,
    slices,
  })

const openOwnDomains = async (stack: AsyncDisposableStack, { store, stored, ...shared }: Shared) => {
  const dns = dnsResolver({
    servers: shared.config.POSTRIDER_DNS ?? [],
    observe: (query) => shared.metrics.dnsQueries.inc(query),
  })
  return stack.use(await stored(openDomains({ ...shared, domains: store.domains, dns })))
}

const openOwnWebhooks = async (stack: AsyncDisposableStack, { store, stored, workspaces, ...shared }: Shared) => {
  const { config, now } = shared
  const rules = webhookRules({ allow: config.POSTRIDER_WEBHOOK_ALLOW, ports: config.POSTRIDER_WEBHOOK_PORTS })
  const resolve = addressResolver({ servers: config.POSTRIDER_DNS ?? [] })
  return stack.use(
    await stored(
      openWebhooks({
        ...shared,
        ...store.webhooks,
        endpoints: endpointsThatRefresh(store.webhooks.endpoints, workspaces),
        emails: store.emails,
        feed: store.events,
        workspaceEvents: store.workspaceEvents,
        clocks: store.testClocks,
        client: webhookClient({ rules, resolve, now }),
        rules,
      }),
    ),
  )
}

type Intake = ReturnType<typeof openIntake>['intake']

const openOwnAccounts = (
  stack: AsyncDisposableStack,
  { store, ...shared }: Shared,
  { intake, publicUrl }: { intake: Intake; publicUrl(): string },
) => stack.use(openAccounts({ ...store, ...shared, events: store.workspaceEvents, intake, publicUrl }))

const openOwnDispatcher = (stack: AsyncDisposableStack, { store, ...shared }: Shared) => {
  const { config, now, log, slices } = shared
  const transports = openTransports({
    mailRoute: config.POSTRIDER_ROUTE,
    connections: config.POSTRIDER_CONNECTIONS,
    sender: config.POSTRIDER_SENDER,
    mailbox: store.mailbox,
    now,
    log,
    slices,
  })
  return stack.use(
    openDispatcher({
      ...shared,
      suspensions: store.suspensions,
      domains: store.domains,
      outcomes: store.reputation,
      sender: config.POSTRIDER_SENDER,
      transports,
      concurrency: defaultConcurrency,
      maxMessageBytes: bytesOf(config.POSTRIDER_MAX_MESSAGE_MIB),
    }),
  )
}

/** Opens the services in the order in which they call each other. */
const openServices = async (stack: AsyncDisposableStack, options: StandaloneOptions) => {
  const shared = await openShared(stack, options)
  const { store, config, limiter, slices, stored } = shared
  const { quota, closeDue } = await openOwnQuota(stack, shared)
  const templates = ownTemplates(shared)
  const { domains, checkDue } = await openOwnDomains(stack, shared)
  const hooks = await openOwnWebhooks(stack, shared)
  const { intake } = stack.use(openIntake({ ...store, ...shared, quota, templates }))
  // Without a configured address it is the one that the gateway listens on (`listening`), of this machine.
  let publicUrl = config.POSTRIDER_PUBLIC_URL ?? null
  const own = openOwnAccounts(stack, shared, { intake, publicUrl: () => publicUrl ?? defaultUrl })
  await stored(own.resealSecrets())
  const work = openOwnDispatcher(stack, shared)
  return {
    accounts: own.accounts,
    quota,
    templates,
    domains,
    webhooks: hooks.webhooks,
    intake,
    store,
    limiter,
    slices,
    mails: own.mails,
    /** Emails the owners of keys that are unused since a while. */
    reportDue: own.reportDue,
    /** Sends the emails about events that are due. */
    notifyDue: own.notifyDue,
    /** Assesses the rates of bounces and complaints, with all outcomes so far. */
    assessReputations: async () => {
      await work.flushOutcomes()
      return own.assessDue()
    },
    /** Sets the address that the gateway listens on. */
    listening: (url: string): void => {
      publicUrl ??= url
    },
    /** Creates the first workspace, if there is none, for a caller that can show its owner and key. */
    makeFirst: () => stored(own.ensureFirstWorkspace()),
    /** Makes the link that signs the first owner in; null: that owner has taken the account over. */
    makeOwnerLink: () => stored(own.issueOwnerLink()),
    drain: work.drain,
    /** Reads the hints and the feed, and sends every webhook that is due. */
    sendWebhooks: hooks.drain,
    /** Works on replays of webhooks. */
    replayWebhooks: hooks.replayDue,
    /** Removes the log of webhooks that is stored long enough. */
    purgeWebhooks: hooks.purge,
    /** Checks every sending domain whose check is due. */
    checkDomains: checkDue,
    /** Closes every month that can be closed, and issues the invoices. */
    closeMonths: closeDue,
    /** Removes every workspace whose deletion is due. */
    eraseWorkspaces: own.eraseDue,
  }
}

/**
 * Runs all services in one process: each gets the functions of the others where a cluster puts gRPC between them.
 * Disposing stops accepting work, finishes the work in progress and closes the store last.
 */
export const startStandalone = async (options: StandaloneOptions) => {
  const stack = new AsyncDisposableStack()
  try {
    const services = await openServices(stack, options)
    return { ...services, [Symbol.asyncDispose]: () => stack.disposeAsync() }
  } catch (thrown) {
    await stack.disposeAsync()
    throw thrown
  }
}
