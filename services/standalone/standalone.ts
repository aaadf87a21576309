import { type AccountsOptions, accountsService } from '@postrider/accounts/accounts.ts'
import { ensureFirstWorkspace } from '@postrider/accounts/firstWorkspace.ts'
import { memoryDoorbell } from '@postrider/adapters/memory/doorbell.ts'
import { memoryLimiter } from '@postrider/adapters/memory/limiter.ts'
import { openTransports } from '@postrider/adapters/transports.ts'
import { defaultConcurrency } from '@postrider/dispatcher/config.ts'
import { openDispatcher } from '@postrider/dispatcher/dispatcher.ts'
import { reportParked } from '@postrider/dispatcher/observe.ts'
import { backlogWatch } from '@postrider/intake/backlog.ts'
import { intakeService } from '@postrider/intake/intake.ts'
import { intakeLimits } from '@postrider/intake/limits.ts'
import { sweeper } from '@postrider/intake/sweep.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { Log } from '@postrider/kit/log.ts'
import { templateRenderer } from '@postrider/mail/templateRenderer.ts'
import { quotaService } from '@postrider/quota/quota.ts'
import { templatesService } from '@postrider/templates/templates.ts'
import type { Config } from './config.ts'
import type { StandaloneMetrics } from './metrics.ts'
import { openStore, type Store } from './store.ts'

type Given = {
  config: Config
  log: Log
  metrics: StandaloneMetrics
  /** Told of a fault the process can't outlive. */
  onFatal(reason: unknown): void
  now?: Clock
  random?: () => number
}

/**
 * All services in one process: each gets the others' functions where a cluster would put a wire between them.
 * Disposing of it stops taking work, finishes what is in work, and closes the store last.
 */
export const startStandalone = async ({
  config,
  log,
  metrics,
  onFatal,
  now = Date.now,
  random = Math.random,
}: Given) => {
  const stack = new AsyncDisposableStack()
  const limits = intakeLimits(config)
  try {
    const onParked = reportParked(log, metrics)
    const store = stack.use(await openStore(config.POSTRIDER_DATA, { onFatal, onParked }))
    const { services, doorbell, limiter, backlog, makeFirst } = wireServices({ config, metrics, now, store })
    const outgoing = {
      mailRoute: config.POSTRIDER_ROUTE,
      connections: config.POSTRIDER_CONNECTIONS,
      sender: config.POSTRIDER_SENDER,
      mailbox: store.mailbox,
      now,
      log,
    }
    stack.use(
      sweeper(
        { ...store, quota: services.quota, doorbell, now, ...backlog, leaseMs: limits.claimLeaseMs },
        log,
        random,
      ),
    )
    const work = stack.use(
      openDispatcher({
        emails: store.emails,
        durable: store.db,
        doorbell,
        transports: openTransports(outgoing),
        concurrency: defaultConcurrency,
        maxMessageBytes: limits.messageBytes,
        now,
        random,
        log,
        metrics,
      }),
    )
    return {
      ...services,
      store,
      limiter,
      /** For a caller that can tell people what was made; see `ensureFirstWorkspace`. */
      makeFirst,
      drain: work.drain,
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (thrown) {
    await stack.disposeAsync()
    throw thrown
  }
}

type Wiring = { config: Config; metrics: StandaloneMetrics; now: Clock; store: Store }

const wireServices = ({ config, metrics, now, store }: Wiring) => {
  const { db: durable, emails, idempotency, mailbox, audit } = store
  const limiter = memoryLimiter()
  const doorbell = memoryDoorbell()
  const backlog = backlogWatch(metrics, config.POSTRIDER_MAX_QUEUED)
  const people: AccountsOptions = { accounts: store.accounts, audit, limiter, now, signup: config.POSTRIDER_SIGNUP }
  const accounts = accountsService(people)
  const { service: quota } = quotaService({ ledger: store.ledger, audit, now })
  const templates = templatesService({ templates: store.templates, audit, now })
  const renderer = templateRenderer({ now: performance.now.bind(performance) })
  const intake = intakeService({
    emails,
    idempotency,
    mailbox,
    audit,
    quota,
    templates: { get: templates.Get, render: renderer.render },
    doorbell,
    durable,
    sender: config.POSTRIDER_SENDER,
    limits: intakeLimits(config),
    now,
    full: backlog.full,
    accepted: ({ mode, category }) => metrics.accepted.inc({ mode, lane: category }),
  })
  const makeFirst = async () => {
    const first = await ensureFirstWorkspace(people)
    await durable.settled()
    return first
  }
  return { services: { accounts, quota, templates, intake }, doorbell, limiter, backlog, makeFirst }
}
