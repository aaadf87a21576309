import type { PaymentNotice } from '@postrider/domain/billing/collections.ts'
import { periodicJob } from '@postrider/kit/every.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { AccountStore } from '@postrider/ports/accounts.ts'
import type { BillingStore } from '@postrider/ports/billing.ts'
import type { SystemMail } from '@postrider/ports/systemMail.ts'
import { chargeFailedMail } from './mails.ts'
import { mailOwners } from './ownerMails.ts'

export type PaymentNoticesOptions = {
  accounts: Pick<AccountStore, 'people' | 'users' | 'workspace'>
  billing: Pick<BillingStore, 'notices' | 'removeNotice'>
  mail: SystemMail
  random?: () => number
  log: Pick<Log, 'info' | 'warn' | 'error'>
}

export type PaymentNotices = AsyncDisposable & {
  /** Emails the notices that are stored now. @returns how many */
  mailDue(): Promise<number>
}

/** Average time between two polls. */
const pollEveryMs = 30_000
const batchSize = 50

/**
 * Emails the owners of a workspace that an invoice could not be charged to their card. Quota stores a notice with the
 * failure; it is removed when its emails are accepted. Processes that mail it at the same time, or again after a crash,
 * send emails with the same idempotency keys, and intake accepts none twice.
 */
export const openPaymentNotices = (options: PaymentNoticesOptions): PaymentNotices => {
  const { log, random = Math.random } = options
  const { run, ...job } = periodicJob((stopping) => mailAll(options, stopping), {
    everyMs: pollEveryMs,
    log,
    message: 'cannot send payment notices',
    random,
  })
  return { mailDue: run, ...job }
}

const mailAll = async (options: PaymentNoticesOptions, stopping: AbortSignal): Promise<number> => {
  let count = 0
  for (;;) {
    const notices = await options.billing.notices(batchSize)
    for (const notice of notices) {
      if (stopping.aborted) return count
      await mailOne(options, notice)
      await options.billing.removeNotice(notice.id)
      count += 1
    }
    if (notices.length < batchSize) return count
  }
}

const mailOne = ({ log, ...mailing }: PaymentNoticesOptions, notice: PaymentNotice): Promise<void> =>
  mailOwners(notice.workspace, {
    ...mailing,
    compose: (owner) => chargeFailedMail({ ...owner, notice }),
    onRefused: (err) => log.warn({ err, invoice_id: notice.invoice }, 'payment notice not accepted'),
  })
