import { unusedAfterMs, unusedSince } from '@postrider/domain/accounts/keyLife.ts'
import { hourMs } from '@postrider/domain/time.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { periodicJob } from '@postrider/kit/every.ts'
import { isUnavailable } from '@postrider/kit/fault.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { AccountStore, StoredKey } from '@postrider/ports/accounts.ts'
import type { KeyClaim, KeyNoticeStore } from '@postrider/ports/keyNotices.ts'
import type { SystemMail } from '@postrider/ports/systemMail.ts'
import { unusedKeyMail } from './mails.ts'
import { mailOwners } from './ownerMails.ts'

export type UnusedKeysOptions = {
  accounts: Pick<AccountStore, 'listKeys' | 'people' | 'users' | 'workspace'>
  notices: KeyNoticeStore
  mail: SystemMail
  now: Clock
  random?: () => number
  log: Pick<Log, 'info' | 'warn' | 'error'>
}

export type UnusedKeys = AsyncDisposable & {
  /** Reports the keys that are due now. @returns how many */
  reportDue(): Promise<number>
}

/** Average time between two polls. */
const pollEveryMs = hourMs
/** Keys that are claimed together, and for how long: longer than their emails take. */
const [batchSize, leaseMs] = [20, 600_000]
/** Keys of one poll; the others follow with the next ones. */
const maxKeys = 1_000
/** All keys of a workspace, the revoked ones behind the valid ones. */
const maxListed = 1_000

/**
 * Emails the owners of a workspace that a key is unused for 90 days, once per key. A key is claimed, so that one
 * process at a time reports it; the emails are stored; then the key is marked. After a crash in between, another claim
 * sends emails with the same idempotency keys, and intake accepts none twice.
 */
export const openUnusedKeys = (options: UnusedKeysOptions): UnusedKeys => {
  const { log, random = Math.random } = options
  const { run, ...job } = periodicJob(
    async (stopping) => {
      const count = await reportAll(options, stopping)
      if (count > 0) log.info({ count }, 'unused keys reported')
      return count
    },
    { everyMs: pollEveryMs, log, message: 'cannot report unused keys', random },
  )
  return { reportDue: run, ...job }
}

const reportAll = async (options: UnusedKeysOptions, stopping: AbortSignal): Promise<number> => {
  const { notices, now } = options
  let count = 0
  for (let looked = 0; looked < maxKeys && !stopping.aborted; looked += batchSize) {
    const at = now()
    const claims = await notices.claimUnusedKeys({
      now: at,
      unusedBefore: at - unusedAfterMs,
      leaseMs,
      limit: batchSize,
    })
    for (const claim of claims) {
      if (stopping.aborted) return count
      if (await reported(options, claim)) count += 1
    }
    if (claims.length === 0) return count
  }
  return count
}

/** An error concerns one key, which is claimed again at a later poll. An unavailable service ends the poll. */
const reported = async (options: UnusedKeysOptions, claim: KeyClaim): Promise<boolean> => {
  try {
    return await reportOne(options, claim)
  } catch (err) {
    if (isUnavailable(err)) throw err
    options.log.error({ err, key_id: claim.id }, 'cannot report unused key')
    return false
  }
}

/** @returns whether the key is reported by this call */
const reportOne = async (options: UnusedKeysOptions, claim: KeyClaim): Promise<boolean> => {
  const { accounts, mail, notices, log } = options
  const key = await unusedKey(options, claim)
  if (key === null) return false
  await mailOwners(claim.workspace, {
    accounts,
    mail,
    compose: (owner) => unusedKeyMail({ ...owner, key }),
    onRefused: (err) => log.warn({ err, key_id: key.id }, 'unused key notice not accepted'),
  })
  return notices.markReported(claim)
}

/** Returns the key if the workspace has it and it is unused still. */
const unusedKey = async (
  { accounts, now }: Pick<UnusedKeysOptions, 'accounts' | 'now'>,
  { id, workspace }: KeyClaim,
): Promise<StoredKey | null> => {
  const key = (await accounts.listKeys(workspace, maxListed)).find((one) => one.id === id)
  return key && unusedSince(key, now()) !== null ? key : null
}
