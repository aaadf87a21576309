import { type AuditBy, bySystem } from '@postrider/domain/audit/entry.ts'
import { checkDomainSteps } from '@postrider/domain/domains/check.ts'
import {
  type ClaimedDomain,
  type NewKey,
  platformWorkspace,
  type RecordCheck,
  type SendingDomain,
} from '@postrider/domain/domains/domain.ts'
import { isInDns } from '@postrider/domain/domains/domainName.ts'
import { newDomainEvent, newDomainNotice } from '@postrider/domain/domains/feedEvent.ts'
import { isRotationDue } from '@postrider/domain/domains/keys.ts'
import { afterCheck, changesBetween, takenRecords } from '@postrider/domain/domains/life.ts'
import { type LookupResult, questionKey } from '@postrider/domain/domains/lookup.ts'
import { recordViews } from '@postrider/domain/domains/recordViews.ts'
import { isExpected } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import { checkEntries, rotationEntry } from './auditEntries.ts'
import type { Deps } from './deps.ts'
import { resealed } from './makeKeys.ts'
import type { CheckOutcome } from './metrics.ts'
import { rotated } from './rotateKey.ts'

export type CheckDeps = Pick<
  Deps,
  | 'domains'
  | 'dns'
  | 'box'
  | 'makeKeys'
  | 'budgets'
  | 'now'
  | 'random'
  | 'slices'
  | 'settings'
  | 'limits'
  | 'log'
  | 'metrics'
>

export type CheckOptions = {
  /** Who requested the check, for the audit log. */
  actor: string
  clientAddress?: string | undefined
  /** Aborted: the check ends, and another process may make it immediately. */
  signal: AbortSignal
  /** Aborted: the check sends no more queries and is written; questions without an answer are unanswered. */
  conclude: AbortSignal
  /** A change that is written with the result, such as that of `withCheckNow`. */
  adjust?: (domain: SendingDomain) => SendingDomain
}

/** A domain as it was read, as the check leaves it, and when it is checked next. */
type Result = {
  before: SendingDomain
  checked: SendingDomain
  /** `checked`, or with a rotation that is due. */
  after: SendingDomain
  nextCheckAt: number
}

/**
 * Checks a domain under a lease:
 * 1. queries DNS in rounds, until the answers decide the state of each record;
 * 2. folds the result into the domain: keys, status, events, the time of the next check;
 * 3. encrypts its keys under the current secret, and starts a rotation that is due;
 * 4. writes it with the fencing token, with the audit entries of what changed. If a person changed the domain in the
 *    meantime, the result is folded into the domain as it is then: otherwise changes in a loop would keep a domain
 *    verified.
 * @returns the domain as written; null: it was removed or checked again during the check, or the check was ended
 */
export const runCheck = async (
  deps: CheckDeps,
  claimed: ClaimedDomain,
  { signal, conclude, adjust = (domain) => domain, ...by }: CheckOptions,
): Promise<SendingDomain | null> => {
  const { domains, metrics } = deps
  const { domain, fence } = claimed
  const startedAt = performance.now()
  const ended = (outcome: CheckOutcome): null => {
    metrics.domainChecks.inc({ outcome })
    metrics.domainCheckDuration.observe((performance.now() - startedAt) / 1_000)
    return null
  }
  const answered = await queryDns(deps, domain, { signal, conclude })
  if (signal.aborted) {
    await domains.release([{ id: domain.id, fence }])
    return ended('stopped')
  }
  const written = await writeResult(deps, claimed, { ...answered, adjust, by })
  if (written === null) return ended('lost')
  ended(written.isTaken ? 'taken' : outcomeOf(deps, written.result.checked))
  report(deps, written.result)
  return written.result.after
}

type Answered = {
  records: RecordCheck[]
  at: number
  adjust: (domain: SendingDomain) => SendingDomain
  by: Omit<AuditBy, 'at'>
}

/** @returns null: the domain is gone, a later check has written its result, or others kept changing the domain */
const writeResult = (
  deps: CheckDeps,
  claimed: ClaimedDomain,
  { records, at, adjust, by }: Answered,
): Promise<{ result: Result; isTaken: boolean } | null> => {
  const { domains } = deps
  const made: NewKey[] = []
  let { domain: current, fence } = claimed
  let isTaken = false
  const attempt = async (): Promise<{ result: Result; isTaken: boolean } | null | undefined> => {
    const found = isTaken ? takenRecords(records, current.name) : records
    const result = await fold(deps, adjust(current), { records: found, at, made })
    const { after, nextCheckAt } = result
    const entries = entriesOf({ ...result, before: current }, { ...by, at: deps.now() })
    const event = newDomainEvent(current, after) ?? newDomainNotice(current, after, newId('evt'))
    const change = { domain: after, nextCheckAt, ...(event && { event }) }
    const written = await domains.write(current.id, fence, change, entries)
    if (written === 'written') return { result: { ...result, before: current }, isTaken }
    if (written === 'taken') {
      isTaken = true
      return undefined
    }
    const stored = await domains.get(current.workspace, current.id)
    if (stored === null || (stored.domain.lastCheck?.at ?? at) > at) return null
    current = stored.domain
    fence = stored.fence
    return undefined
  }
  return retryOnConflict(attempt, { rounds: 'plainRecord', onBusy: () => null })
}

/**
 * Maximum number of questions of a check at the same time. A domain without records has dozens, because the records are
 * sought at wrong names; the buffer of a DNS server has space for some hundred queries, and further ones are lost.
 */
const maxConcurrent = 6

/**
 * Sends queries in rounds: the answers of a round decide the queries of the next one. The resolver bounds the total
 * time.
 */
const queryDns = async (
  { dns, budgets, now, settings, slices }: CheckDeps,
  domain: SendingDomain,
  { signal, conclude }: Pick<CheckOptions, 'signal' | 'conclude'>,
): Promise<{ records: RecordCheck[]; at: number }> => {
  if (!isQueried(domain)) return { records: domain.lastCheck?.records ?? [], at: now() }
  const lookups = dns.begin()
  const ending = AbortSignal.any([signal, conclude])
  const inSlices = slices.of(domain.workspace)
  const answers = new Map<string, LookupResult>()
  for (;;) {
    const at = now()
    const { needed, records } = await inSlices.begin(checkDomainSteps(domain, settings, answers, at))
    if (needed.length === 0 || signal.aborted) {
      await budgets.countQuestions(domain.workspace, answers.size)
      return { records, at }
    }
    const queue = needed.values()
    const queryNext = async (): Promise<void> => {
      for (const question of queue) answers.set(questionKey(question), await lookups.lookup(question, ending))
    }
    await Promise.all(Array.from({ length: maxConcurrent }, queryNext))
  }
}

/**
 * Whether DNS is queried for a domain: not for the placeholder of the platform, which no DNS has. The domain of a
 * customer is always queried, even if its name has become a public suffix: it would stay verified without a check.
 */
const isQueried = ({ workspace, name }: SendingDomain): boolean => workspace !== platformWorkspace || isInDns(name)

type Found = {
  records: RecordCheck[]
  at: number
  /** Keys of a rotation that an earlier try made. */
  made: NewKey[]
}

const fold = async (deps: CheckDeps, before: SendingDomain, { records, at, made }: Found): Promise<Result> => {
  const { random, limits } = deps
  const current = readable(deps, before)
  const { domain: checked, nextCheckAt } = afterCheck(current, records, {
    now: at,
    jitter: random(),
    eventId: newId('evt'),
  })
  const rotation = isRotationDue(checked, at, limits.rotationMs)
    ? await rotated(deps, checked, made).catch(ifBusy)
    : null
  return { before, checked, after: rotation?.domain ?? checked, nextCheckAt: rotation?.checkAt ?? nextCheckAt }
}

/** The rotation starts at a later check. */
const ifBusy = (thrown: unknown): null => {
  if (isExpected(thrown)) return null
  throw thrown
}

/** A key that cannot be decrypted must not end the checks of its domain. */
const readable = ({ box, log, metrics }: CheckDeps, domain: SendingDomain): SendingDomain => {
  try {
    return resealed(box, domain)
  } catch (err) {
    metrics.domainKeysUnreadable.inc()
    log.error({ err, domain_id: domain.id }, 'cannot decrypt signing key')
    return domain
  }
}

const outcomeOf = ({ settings }: Pick<CheckDeps, 'settings'>, domain: SendingDomain): CheckOutcome => {
  const required = recordViews(domain, settings).filter((record) => record.required)
  if (required.every(({ status }) => status === 'found')) return 'found'
  return required.some(({ status }) => status === 'missing' || status === 'wrong') ? 'broken' : 'unanswered'
}

/** The rotation that a check starts is not requested by a person. */
const entriesOf = ({ before, checked, after }: Result, by: AuditBy): AuditEntry[] => [
  ...checkEntries(before, checked, by),
  ...(after === checked ? [] : [rotationEntry(checked, after, bySystem(by.at))]),
]

/** Logs what the check changed. */
const report = ({ log }: CheckDeps, { before, checked, after }: Result): void => {
  const { id } = before
  for (const { kind, ...change } of changesBetween(before, checked))
    log.info({ domain_id: id, ...change }, kind === 'status' ? 'domain status changed' : 'domain key changed')
  if (after !== checked) log.info({ domain_id: id }, 'domain key rotation started')
}
