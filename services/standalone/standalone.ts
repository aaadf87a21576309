import { join } from 'node:path'
import { openAccounts } from '@postrider/accounts/accounts.ts'
import { openWorkspaceEraser } from '@postrider/accounts/eraseWorkspaces.ts'
import { mailQueue } from '@postrider/accounts/mailQueue.ts'
import { accountsMetrics } from '@postrider/accounts/metrics.ts'
import { openNotifier } from '@postrider/accounts/notifier.ts'
import { openPaymentNotices } from '@postrider/accounts/paymentNotices.ts'
import { openReputationWatch } from '@postrider/accounts/reputation.ts'
import { logResealed } from '@postrider/accounts/secondFactor.ts'
import { systemMail } from '@postrider/accounts/systemMail.ts'
import { openUnusedKeys } from '@postrider/accounts/unusedKeys.ts'
import { dnsResolver } from '@postrider/adapters/dns/resolver.ts'
import { emailsWithHints, endpointsThatRefresh, hintedWorkspaces } from '@postrider/adapters/eventHints.ts'
import { addressResolver } from '@postrider/adapters/http/addresses.ts'
import { webhookClient } from '@postrider/adapters/http/webhookClient.ts'
import { memoryDoorbell } from '@postrider/adapters/memory/doorbell.ts'
import { memoryHints } from '@postrider/adapters/memory/hints.ts'
import { memoryLimiter } from '@postrider/adapters/memory/limiter.ts'
import { openPayments } from '@postrider/adapters/payments.ts'
import { spaceFault } from '@postrider/adapters/sqlite/diskSpace.ts'
import { openTransports } from '@postrider/adapters/transports.ts'
import { defaultConcurrency } from '@postrider/dispatcher/config.ts'
import { openDispatcher } from '@postrider/dispatcher/dispatcher.ts'
import { dispatcherMetrics } from '@postrider/dispatcher/metrics.ts'
import { reportParked } from '@postrider/dispatcher/observe.ts'
import { retentionLimits } from '@postrider/domain/retention/retention.ts'
import { webhookRules } from '@postrider/domain/webhooks/url.ts'
import { openDomains } from '@postrider/domains/domains.ts'
import { domainsMetrics } from '@postrider/domains/metrics.ts'
import { gatewayMetrics } from '@postrider/gateway/metrics.ts'
import { openIntake } from '@postrider/intake/intake.ts'
import { intakeMetrics } from '@postrider/intake/metrics.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { MetricRegistry, Metrics } from '@postrider/kit/metrics.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import type { Durable } from '@postrider/ports/durable.ts'
import { quotaMetrics } from '@postrider/quota/metrics.ts'
import { openQuota } from '@postrider/quota/openQuota.ts'
import { templatesService } from '@postrider/templates/templates.ts'
import { webhooksMetrics } from '@postrider/webhooks/metrics.ts'
import { openWebhooks } from '@postrider/webhooks/webhooks.ts'
import type { Config } from './config.ts'
import { masterKeys } from './secret.ts'
import { openStore } from './store.ts'

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

/** Of links in mails that are sent before the gateway listens. */
const defaultUrl = 'http://localhost:8080'

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

/** Returns a function that waits until what a part of the start writes is durable. */
const writingOfStart =
  (db: Pick<Durable, 'settled'>, path: string) =>
  async <T>(writing: Promise<T>): Promise<T> => {
    try {
      const written = await writing
      await db.settled()
      return written
    } catch (thrown) {
      throw spaceFault(path, thrown)
    }
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
    const store = stack.use(await openStore(config.POSTRIDER_DATA, { onFatal, onParked, onDiskFull, slices, now }))
    const { db: durable, audit, idempotency, mailbox, suspensions } = store
    const stored = writingOfStart(durable, join(config.POSTRIDER_DATA, 'postrider.db'))
    const limiter = memoryLimiter()
    const doorbell = memoryDoorbell()
    const hints = memoryHints()
    const workspaces = stack.use(hintedWorkspaces({ endpoints: store.webhooks.endpoints, log }))
    const emails = emailsWithHints({ emails: store.emails, hints, workspaces, durable })
    const { quota, closeDue } = stack.use(
      openQuota({
        ledger: store.ledger,
        billing: store.billing,
        accounts: store.accounts,
        payments: await openPayments(config),
        now,
        random,
        log,
        metrics,
      }),
    )
    const erased = { accounts: store.accounts, erasure: store.erasure, audit, metrics, log, now }
    const { eraseDue } = stack.use(openWorkspaceEraser(erased, random))
    const templates = templatesService({
      templates: store.templates,
      now,
      mostTemplates: config.POSTRIDER_MAX_TEMPLATES,
      mostVersions: config.POSTRIDER_MAX_TEMPLATE_VERSIONS,
      slices,
    })
    const secrets = masterKeys(config.POSTRIDER_DATA, config.POSTRIDER_SECRET)
    const dns = dnsResolver({
      servers: config.POSTRIDER_DNS ?? [],
      observe: (query) => metrics.dnsQueries.inc(query),
    })
    const opened = { domains: store.domains, dns, limiter, secrets, config, now, random, log, metrics }
    const { domains, checkDue } = stack.use(await stored(openDomains(opened)))
    const rules = webhookRules({ allow: config.POSTRIDER_WEBHOOK_ALLOW, ports: config.POSTRIDER_WEBHOOK_PORTS })
    const resolve = addressResolver({ servers: config.POSTRIDER_DNS ?? [] })
    const hooks = stack.use(
      await stored(
        openWebhooks({
          ...store.webhooks,
          endpoints: endpointsThatRefresh(store.webhooks.endpoints, workspaces),
          emails: store.emails,
          feed: store.events,
          workspaceEvents: store.workspaceEvents,
          hints,
          clocks: store.testClocks,
          client: webhookClient({ rules, resolve, now }),
          rules,
          durable,
          secrets,
          config,
          now,
          random,
          log,
          metrics,
        }),
      ),
    )
    const common = { config, log, metrics, now, random, slices }
    const { intake } = stack.use(
      openIntake({
        ...common,
        emails,
        idempotency,
        mailbox,
        erasures: store.erasures,
        audit: store.audit,
        webhooks: store.webhooks,
        testClocks: store.testClocks,
        hints,
        events: store.events,
        stats: store.stats,
        workspaceEvents: store.workspaceEvents,
        suspensions,
        domains: store.domains,
        durable,
        quota,
        templates,
        doorbell,
      }),
    )
    // Without a configured address it is the one that the gateway listens on (`listening`), of this machine.
    let publicUrl = config.POSTRIDER_PUBLIC_URL ?? null
    const currentUrl = () => publicUrl ?? defaultUrl
    const mails = stack.use(mailQueue({ mail: systemMail(intake), log, metrics }))
    const { accounts, ensureFirstWorkspace, issueOwnerLink, resealSecrets } = openAccounts({
      accounts: store.accounts,
      users: store.users,
      links: store.links,
      domains: store.domains,
      secrets,
      mails,
      publicUrl: currentUrl,
      notifications: store.notifications,
      events: store.workspaceEvents,
      audit,
      limiter,
      now,
      metrics,
      signup: config.POSTRIDER_SIGNUP,
      retention: retentionLimits(config),
      ledger: store.ledger,
      defaultPlan: config.POSTRIDER_DEFAULT_PLAN,
    })
    const { keyNotices: notices } = store
    const unusedKeys = { accounts: store.accounts, notices, mail: systemMail(intake), now, random, log }
    const { reportDue } = stack.use(openUnusedKeys(unusedKeys))
    const { accounts: people, billing } = store
    stack.use(openPaymentNotices({ accounts: people, billing, mail: systemMail(intake), random, log }))
    const watched = { events: store.workspaceEvents, now, random, log }
    const { assessDue } = stack.use(openReputationWatch({ ...watched, reputation: store.reputation }))
    const notified = { accounts: store.accounts, notifications: store.notifications, mail: systemMail(intake) }
    const { notifyDue } = stack.use(openNotifier({ ...notified, publicUrl: currentUrl, now, random, log }))
    await stored(logResealed(log, resealSecrets))
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
        domains: store.domains,
        outcomes: store.reputation,
        secrets,
        sender: config.POSTRIDER_SENDER,
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
      domains,
      webhooks: hooks.webhooks,
      intake,
      store,
      limiter,
      slices,
      mails,
      /** Mails the owners of keys that are unused since a while. */
      reportDue,
      /** Sends the mails about events that are due. */
      notifyDue,
      /** Assesses the rates of bounces and complaints, with all outcomes so far. */
      assessReputations: async () => {
        await work.flushOutcomes()
        return assessDue()
      },
      /** Sets the address that the gateway listens on. */
      listening: (url: string): void => {
        publicUrl ??= url
      },
      /** Creates the first workspace, if there is none, for a caller that can show its owner and key. */
      makeFirst: () => stored(ensureFirstWorkspace()),
      /** Makes the link that signs the first owner in; null: that owner has taken the account over. */
      makeOwnerLink: () => stored(issueOwnerLink()),
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
      eraseWorkspaces: eraseDue,
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (thrown) {
    await stack.disposeAsync()
    throw thrown
  }
}
