import type { Accounts, Intake } from '@postrider/contracts/services.ts'
import { retentionLimits } from '@postrider/domain/retention/retention.ts'
import type { Log } from '@postrider/kit/log.ts'
import { type AccountsOptions, type AccountsService, accountsService } from './accounts.ts'
import type { Config } from './config.ts'
import { type EraseDeps, openWorkspaceEraser, type WorkspaceEraser } from './eraseWorkspaces.ts'
import { type MailQueue, mailQueue, systemMail } from './mailQueue.ts'
import type { AccountsMetrics } from './metrics.ts'
import { type Notifier, type NotifierOptions, openNotifier } from './notifier.ts'
import { openPaymentNotices, type PaymentNoticesOptions } from './paymentNotices.ts'
import { openReputationWatch, type ReputationOptions, type ReputationWatch } from './reputation.ts'
import { logResealed } from './secondFactor.ts'
import { openUnusedKeys, type UnusedKeys, type UnusedKeysOptions } from './unusedKeys.ts'

export type OpenAccountsOptions = Omit<
  AccountsOptions,
  'mails' | 'passwords' | 'random' | 'limits' | 'signup' | 'defaultPlan' | 'retention'
> &
  Pick<EraseDeps, 'accounts' | 'erasure' | 'audit'> &
  Pick<NotifierOptions, 'accounts' | 'notifications'> &
  Pick<PaymentNoticesOptions, 'accounts' | 'billing'> &
  Pick<ReputationOptions, 'reputation' | 'events'> &
  Pick<UnusedKeysOptions, 'accounts'> & {
    keyNotices: UnusedKeysOptions['notices']
    /** Sends the system mail. */
    intake: Pick<Intake, 'SendSystemMail'>
    config: Pick<
      Config,
      | 'POSTRIDER_SIGNUP'
      | 'POSTRIDER_DEFAULT_PLAN'
      | 'POSTRIDER_RETENTION_CONTENT_DAYS'
      | 'POSTRIDER_RETENTION_RECORD_DAYS'
      | 'POSTRIDER_RETENTION_ATTACHMENT_DAYS'
    >
    metrics: AccountsMetrics
    log: Log
    /** Uniform in [0, 1): spreads the jobs of several processes. */
    random?: () => number
  }

export type OpenAccounts = AsyncDisposable &
  Pick<AccountsService, 'ensureFirstWorkspace' | 'issueOwnerLink'> &
  Pick<WorkspaceEraser, 'eraseDue'> &
  Pick<Notifier, 'notifyDue'> &
  Pick<ReputationWatch, 'assessDue'> &
  Pick<UnusedKeys, 'reportDue'> & {
    accounts: Accounts
    mails: MailQueue
    /** Encrypts again what a former master key encrypted, and logs how much. */
    resealSecrets(): Promise<void>
  }

/** Opens the accounts service with its mail queue and its periodic jobs. Disposing ends them. */
export const openAccounts = ({
  keyNotices: notices,
  intake,
  config,
  random = Math.random,
  ...deps
}: OpenAccountsOptions): OpenAccounts => {
  const stack = new AsyncDisposableStack()
  const mail = systemMail(intake)
  const mails = stack.use(mailQueue({ ...deps, mail }))
  const service = accountsService({
    ...deps,
    mails,
    signup: config.POSTRIDER_SIGNUP,
    defaultPlan: config.POSTRIDER_DEFAULT_PLAN,
    retention: retentionLimits(config),
  })
  const job = { ...deps, mail, random }
  const { eraseDue } = stack.use(openWorkspaceEraser(job, random))
  const { assessDue } = stack.use(openReputationWatch(job))
  const { notifyDue } = stack.use(openNotifier(job))
  const { reportDue } = stack.use(openUnusedKeys({ ...job, notices }))
  stack.use(openPaymentNotices(job))
  return {
    ...service,
    mails,
    resealSecrets: () => logResealed(deps.log, service.resealSecrets),
    eraseDue,
    assessDue,
    notifyDue,
    reportDue,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
