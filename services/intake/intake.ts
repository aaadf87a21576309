import type { Intake, Quota, Templates } from '@postrider/contracts/services.ts'
import { platformDomains } from '@postrider/domain/domains/platform.ts'
import { stagedBytes } from '@postrider/domain/fairness/admission.ts'
import type { retentionLimits } from '@postrider/domain/retention/retention.ts'
import type { Log } from '@postrider/kit/log.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import { templateRenderer } from '@postrider/mail/templateRenderer.ts'
import type { DomainStore } from '@postrider/ports/domains.ts'
import type { EmailStore, QueueCount } from '@postrider/ports/emails.ts'
import type { ErasureStore } from '@postrider/ports/erasures.ts'
import type { EventFeed } from '@postrider/ports/eventFeed.ts'
import type { MailboxStore } from '@postrider/ports/mailbox.ts'
import type { StatsStore } from '@postrider/ports/stats.ts'
import { checkRefused } from './acceptance.ts'
import type { SubmitDeps } from './acceptEmail.ts'
import { cancelEmail } from './cancelEmail.ts'
import { verifiedDomains } from './chooseSender.ts'
import { type Config, intakeLimits, queueBounds } from './config.ts'
import { type CountDispatchersDeps, countDispatchers } from './countDispatchers.ts'
import { erasureService } from './erasures.ts'
import { keyLeases } from './keyLeases.ts'
import { listEvents } from './listEvents.ts'
import type { IntakeMetrics } from './metrics.ts'
import { backlogWatch } from './metrics.ts'
import { type MoveClockDeps, testClockService } from './moveTestClock.ts'
import { parkedMail } from './parkedMail.ts'
import { queueAdmission } from './queueAdmission.ts'
import { capturedReaders, emailReaders } from './readEmails.ts'
import { readQueues } from './readQueues.ts'
import { rescheduleEmail } from './rescheduleEmail.ts'
import { resolveEmail } from './resolveEmail.ts'
import { stagedRoom } from './stagedRoom.ts'
import { readStats, statsChore } from './stats.ts'
import { submit } from './submit.ts'
import { stageBatch, stagedMs, submitBatch } from './submitBatch.ts'
import { type SweepDeps, sweeper } from './sweep.ts'
import { sendSystemMail } from './systemMail.ts'
import { validateRequest } from './validate.ts'

/*
 * Intake accepts mail, and reads and changes accepted mail. The way of a send and of a batch:
 *
 *   submit (with a key or without) ────▶ acceptEmail: composeEmail, queueAdmission, sends, one insert ──▶ doorbell
 *   submitBatch ─┬─▶ acceptKeyedBatch ─┬─▶ acceptBatch: batchMails, queueAdmission, sends, one write ───▶ doorbell
 *                └─────────────────────┘     batchResponse: the response, made again from what is stored
 *   stageBatch stores a part of a long batch before, by batchMails, if stagedRoom has room for it;
 *   discardStaged removes the parts of a refused batch.
 *
 *   checks       acceptance (what depends on the workspace and the time), chooseSender (by the verified domains),
 *                resolveContent (renders), queueAdmission (how much mail may wait); validate makes all of them and
 *                stores nothing
 *   keys         claimKey and keyLeases: who owns an `Idempotency-Key` while its request runs
 *   sends        reserves, commits and releases the sends of the quota
 *   systemMail   submits mail of Postrider itself
 *   reads        readEmails, emailRecord (what the API shows), explain, listEvents, stats, readQueues, countDispatchers
 *   changes      cancelEmail, rescheduleEmail, resolveEmail, parkedMail; emailEntry has their audit entries
 *   test clock   testClocks (offsets of mail), moveTestClock
 *   sweep        every few seconds, what crashes left behind: setAsideSuspended, purge (retention), erasures with
 *                finishRunning, redactResponses and redactLog, stats
 *   changeItems  changes the items of a stored response, for batchResponse and redactResponses
 */

export type IntakeDeps = SubmitDeps &
  Omit<MoveClockDeps, 'emails' | 'limits' | 'doorbell'> & {
    emails: EmailStore
    doorbell: CountDispatchersDeps['doorbell']
    quota: Pick<Quota, 'Reserve' | 'Commit' | 'Release' | 'Probe'>
    mailbox: MailboxStore
    erasures: ErasureStore
    events: Pick<EventFeed, 'readEvents'>
    stats: StatsStore
    /** The runner of the process for long work; absent: its own. */
    slices?: Slices
  }

/** Returns the functions of intake: it accepts or refuses email, and reads and changes accepted email. */
export const intakeService = (deps: IntakeDeps): Intake => {
  const { slices = makeSlices() } = deps
  const Submit = submit(deps, slices)
  return {
    Submit,
    StageBatch: stageBatch(deps, slices),
    SubmitBatch: submitBatch(deps, slices),
    SendSystemMail: sendSystemMail(Submit, deps),
    Check: checkRefused(deps, slices),
    Validate: validateRequest(deps, slices),
    CancelEmail: cancelEmail(deps),
    ResolveEmail: resolveEmail(deps),
    RescheduleEmail: rescheduleEmail(deps),
    ...emailReaders(deps, slices),
    ...capturedReaders(deps, slices),
    ...erasureService(deps),
    ListEvents: listEvents(deps),
    ReadStats: readStats({ ...deps, slices }),
    ...testClockService(deps),
    GetQueues: readQueues(deps),
    CountDispatchers: countDispatchers(deps),
    ...parkedMail(deps),
  }
}

/** What `openIntake` derives from the configuration and the metrics. */
type Derived =
  | 'templates'
  | 'leases'
  | 'verified'
  | 'sender'
  | 'platformDomains'
  | 'limits'
  | 'abandonedAfterMs'
  | 'queue'
  | 'staging'
  | 'accepted'
  | 'watch'
  | 'swept'
  | 'retention'
  | 'idempotencyMs'
  | 'slices'
  | 'purged'
  | 'overdue'
  | 'statsChore'

type OpenIntakeOptions = Omit<IntakeDeps & SweepDeps, Derived> & {
  config: Pick<
    Config,
    'POSTRIDER_SENDER' | 'POSTRIDER_BOUNCE_DOMAIN' | 'POSTRIDER_MAX_MESSAGE_MIB' | 'POSTRIDER_IDEMPOTENCY_HOURS'
  > &
    Parameters<typeof queueBounds>[0] &
    Parameters<typeof retentionLimits>[0]
  templates: Pick<Templates, 'Get'>
  domains: Pick<DomainStore, 'senders'>
  log: Log
  metrics: IntakeMetrics
  random?: () => number
  slices?: Slices
}

/** Opens intake over its stores and peers. Its sweep runs until it is disposed. */
export const openIntake = ({ config, templates, log, metrics, random, ...deps }: OpenIntakeOptions) => {
  const { counted, refused, ...watched } = backlogWatch(metrics)
  const elapsed = performance.now.bind(performance)
  const queue = queueAdmission({
    bounds: queueBounds(config),
    count: () => countActive(deps, counted),
    elapsed,
    onRefused: refused,
  })
  const staging = stagedRoom({ boundBytes: stagedBytes, lifeMs: stagedMs, elapsed })
  const limits = intakeLimits(config)
  const { renderSteps } = templateRenderer({ elapsed })
  const leases = keyLeases(deps)
  const { slices = makeSlices() } = deps
  const sweeping = sweeper(
    {
      ...deps,
      ...watched,
      slices,
      queue,
      statsChore: statsChore({ ...deps, slices }),
      retention: limits.retention,
      idempotencyMs: limits.idempotencyMs,
      abandonedAfterMs: limits.claimLeaseMs,
    },
    log,
    random,
  )
  const intake = intakeService({
    ...deps,
    slices,
    leases,
    templates: { get: templates.Get, renderSteps },
    verified: verifiedDomains({ domains: deps.domains, elapsed }),
    sender: config.POSTRIDER_SENDER,
    platformDomains: platformDomains({
      senderAddress: config.POSTRIDER_SENDER.address,
      bounceDomain: config.POSTRIDER_BOUNCE_DOMAIN ?? null,
    }),
    limits,
    queue,
    staging,
    accepted: ({ mode, category }) => metrics.accepted.inc({ mode, lane: category }),
  })
  const close = async (): Promise<void> => {
    await sweeping[Symbol.asyncDispose]()
    await leases[Symbol.asyncDispose]()
  }
  return { intake, [Symbol.asyncDispose]: close }
}

type CountDeps = Pick<SweepDeps, 'suspensions'> & Pick<IntakeDeps, 'emails'>

/** Counts what waits. Mail of suspended workspaces cannot leave, so it must not count against others. */
const countActive = async ({ emails, suspensions }: CountDeps, onCounted: (all: readonly QueueCount[]) => void) => {
  const [all, suspended] = await Promise.all([emails.queueCounts(), suspensions.suspended()])
  onCounted(all)
  return all.filter(({ workspace }) => !suspended.has(workspace))
}
