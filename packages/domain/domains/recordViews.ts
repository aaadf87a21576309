import { isoTime } from '../time.ts'
import type { DkimKey, DomainSettings, RecordStatus, SendingDomain } from './domain.ts'
import { isReplaced, retiringMs } from './keys.ts'
import { dkimName, type ExpectedRecord, expectedRecords, recordKey } from './records.ts'

/** A record as people see it. `found` is what DNS has, one record per line; null: nothing. */
export type RecordView = ExpectedRecord & { status: RecordStatus; found: string | null; problem?: string }

/** Returns the records of a domain with what the last check found. Before the first check each is `unknown`. */
export const recordViews = (domain: SendingDomain, settings: DomainSettings): RecordView[] => {
  const checks = new Map(domain.lastCheck?.records.map((check) => [recordKey(check), check]))
  const keys = new Map(domain.keys.map((key) => [dkimName(domain, key), key]))
  return expectedRecords(domain, settings).map((record) => {
    const check = checks.get(recordKey(record))
    const key = record.purpose === 'dkim' ? keys.get(record.name) : undefined
    const problem = key && isReplaced(key) ? replacedProblem(key, check?.status) : (check?.problem ?? null)
    return {
      ...record,
      value: check?.advised ?? record.value,
      status: check?.status ?? 'unknown',
      found: check && check.found.length > 0 ? check.found.join('\n') : null,
      ...(problem !== null && { problem }),
    }
  })
}

/** What to do with the record of a key that another one has replaced. */
const replacedProblem = (key: DkimKey, status: RecordStatus | undefined): string => {
  if (key.state === 'removable') return 'This key is no longer used. You can remove this record.'
  const until = isoTime((key.retiredAt ?? 0) + retiringMs)
  return status === 'missing' || status === 'wrong'
    ? `Add this record again and keep it until ${until}: mail that was signed earlier is verified with it.`
    : `This key was replaced. Keep this record until ${until}: mail that was signed earlier is verified with it.`
}
