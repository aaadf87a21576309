import type { Intake, Quota, Templates } from '@postrider/contracts/services.ts'
import type { Log } from '@postrider/kit/log.ts'
import { templateRenderer } from '@postrider/mail/templateRenderer.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { MailboxStore } from '@postrider/ports/mailbox.ts'
import { checkRequest } from './acceptance.ts'
import { cancelEmail } from './cancelEmail.ts'
import { type Config, intakeLimits } from './config.ts'
import type { IntakeMetrics } from './metrics.ts'
import { backlogWatch } from './metrics.ts'
import { capturedReaders, emailReaders } from './readEmails.ts'
import { resolveEmail } from './resolveEmail.ts'
import { type SubmitDeps, submit } from './submit.ts'
import { type SweepDeps, sweeper } from './sweep.ts'

export type IntakeDeps = SubmitDeps & {
  emails: EmailStore
  quota: Pick<Quota, 'Reserve' | 'Commit' | 'Release'>
  mailbox: MailboxStore
  audit: Audit
}

/** Returns the functions of intake: it accepts or refuses email, and reads and changes accepted email. */
export const intakeService = (deps: IntakeDeps): Intake => ({
  Submit: submit(deps),
  Check: checkRequest(deps),
  CancelEmail: cancelEmail(deps),
  ResolveEmail: resolveEmail(deps),
  ...emailReaders(deps),
  ...capturedReaders(deps),
})

/** What `openIntake` derives from the configuration and the metrics. */
type Derived = 'templates' | 'sender' | 'limits' | 'leaseMs' | 'full' | 'accepted' | 'watch' | 'swept'

type OpenIntakeOptions = Omit<IntakeDeps & SweepDeps, Derived> & {
  config: Pick<
    Config,
    'POSTRIDER_SENDER' | 'POSTRIDER_MAX_QUEUED' | 'POSTRIDER_MAX_MESSAGE_MIB' | 'POSTRIDER_IDEMPOTENCY_HOURS'
  >
  templates: Pick<Templates, 'Get'>
  log: Log
  metrics: IntakeMetrics
  random?: () => number
}

/** Opens intake over its stores and peers. Its sweeper runs until it is disposed. */
export const openIntake = ({ config, templates, log, metrics, random, ...deps }: OpenIntakeOptions) => {
  const backlog = backlogWatch(metrics, config.POSTRIDER_MAX_QUEUED)
  const limits = intakeLimits(config)
  const { render, prepare } = templateRenderer({ now: performance.now.bind(performance) })
  const sweeping = sweeper({ ...deps, ...backlog, leaseMs: limits.claimLeaseMs }, log, random)
  const intake = intakeService({
    ...deps,
    templates: { get: templates.Get, render, prepare },
    sender: config.POSTRIDER_SENDER,
    limits,
    full: backlog.full,
    accepted: ({ mode, category }) => metrics.accepted.inc({ mode, lane: category }),
  })
  return { intake, [Symbol.asyncDispose]: () => sweeping[Symbol.asyncDispose]() }
}
