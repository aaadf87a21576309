import type { Intake, Quota, Templates } from '@postrider/contracts/services.ts'
import type { Log } from '@postrider/kit/log.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import { templateRenderer } from '@postrider/mail/templateRenderer.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { EmailStore, QueueCount } from '@postrider/ports/emails.ts'
import type { MailboxStore } from '@postrider/ports/mailbox.ts'
import { checkRequest } from './acceptance.ts'
import { cancelEmail } from './cancelEmail.ts'
import { type Config, intakeLimits, queueBounds } from './config.ts'
import { keyLeases } from './keyLeases.ts'
import type { IntakeMetrics } from './metrics.ts'
import { backlogWatch } from './metrics.ts'
import { queueAdmission } from './queueBounds.ts'
import { capturedReaders, emailReaders } from './readEmails.ts'
import { resolveEmail } from './resolveEmail.ts'
import { type SubmitDeps, submit } from './submit.ts'
import { type SweepDeps, sweeper } from './sweep.ts'

export type IntakeDeps = SubmitDeps & {
  emails: EmailStore
  quota: Pick<Quota, 'Reserve' | 'Commit' | 'Release'>
  mailbox: MailboxStore
  audit: Audit
  /** The runner of the process for long work; absent: its own. */
  slices?: Slices
}

/** Returns the functions of intake: it accepts or refuses email, and reads and changes accepted email. */
export const intakeService = (deps: IntakeDeps): Intake => {
  const { slices = makeSlices() } = deps
  return {
    Submit: submit(deps, slices),
    Check: checkRequest(deps, slices),
    CancelEmail: cancelEmail(deps),
    ResolveEmail: resolveEmail(deps),
    ...emailReaders(deps, slices),
    ...capturedReaders(deps, slices),
  }
}

/** What `openIntake` derives from the configuration and the metrics. */
type Derived = 'templates' | 'leases' | 'sender' | 'limits' | 'leaseMs' | 'queue' | 'accepted' | 'watch' | 'swept'

type OpenIntakeOptions = Omit<IntakeDeps & SweepDeps, Derived> & {
  config: Pick<Config, 'POSTRIDER_SENDER' | 'POSTRIDER_MAX_MESSAGE_MIB' | 'POSTRIDER_IDEMPOTENCY_HOURS'> &
    Parameters<typeof queueBounds>[0]
  templates: Pick<Templates, 'Get'>
  log: Log
  metrics: IntakeMetrics
  random?: () => number
}

/** Opens intake over its stores and peers. Its sweeper runs until it is disposed. */
export const openIntake = ({ config, templates, log, metrics, random, ...deps }: OpenIntakeOptions) => {
  const { counted, refused, ...watched } = backlogWatch(metrics)
  const queue = queueAdmission({
    bounds: queueBounds(config),
    count: () => countActive(deps, counted),
    elapsed: () => performance.now(),
    onRefused: refused,
  })
  const limits = intakeLimits(config)
  const { renderSteps } = templateRenderer({ now: performance.now.bind(performance) })
  const leases = keyLeases(deps)
  const sweeping = sweeper({ ...deps, ...watched, queue, leaseMs: limits.claimLeaseMs }, log, random)
  const intake = intakeService({
    ...deps,
    leases,
    templates: { get: templates.Get, renderSteps },
    sender: config.POSTRIDER_SENDER,
    limits,
    queue,
    accepted: ({ mode, category }) => metrics.accepted.inc({ mode, lane: category }),
  })
  const close = async (): Promise<void> => {
    await sweeping[Symbol.asyncDispose]()
    await leases[Symbol.asyncDispose]()
  }
  return { intake, [Symbol.asyncDispose]: close }
}

type CountDeps = Pick<SweepDeps, 'suspensions'> & Pick<IntakeDeps, 'emails'>

/** Counts what waits. Mail of suspended workspaces cannot leave, so it must not use the room of others. */
const countActive = async ({ emails, suspensions }: CountDeps, onCounted: (all: readonly QueueCount[]) => void) => {
  const [all, suspended] = await Promise.all([emails.queueCounts(), suspensions.suspended()])
  onCounted(all)
  return all.filter(({ workspace }) => !suspended.has(workspace))
}
