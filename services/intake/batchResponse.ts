import type { BatchRefusal } from '@postrider/contracts/services.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import { withoutShortLived } from '@postrider/domain/retention/purge.ts'
import { Fault, type FaultCode, problemMembers } from '@postrider/kit/fault.ts'
import { charactersOfStep, type Steps } from '@postrider/mail/steps.ts'
import { changeItems } from './changeItems.ts'
import { emailRecord } from './emailRecord.ts'

/** What is stored with an accepted batch, from which its response is made again after a crash. */
type Results = { isPermissive: boolean; refused: Refused[] }
type Refused = { index: number; status: number; error: object }

/** Returns the results of a batch as they are stored. */
export const batchResults = (isPermissive: boolean, refusals: readonly BatchRefusal[]): string => {
  const refused = refusals.map(({ number, code, detail, problems }): Refused => {
    const error = problemMembers(new Fault(code as FaultCode, detail, { problems }))
    return { index: number, status: error.status, error }
  })
  return JSON.stringify({ isPermissive, refused } satisfies Results)
}

/**
 * Writes the response to a batch as JSON, and the form in which it is stored: without content that is stored for a
 * shorter time. It pauses between the records, which may have 10 MB together.
 */
export function* batchResponse(
  emails: readonly Email[],
  results: string,
  now: number,
): Steps<{ bodyJson: string; storedJson: string }> {
  const { isPermissive, refused } = JSON.parse(results) as Results
  const accepted = emails.map((email) => ({ index: email.batch?.number ?? 0, email }))
  const sorted = [...accepted, ...(isPermissive ? refused : [])].toSorted((one, other) => one.index - other.index)
  const entryOf = (one: { index: number; email: Email } | Refused, shown: (email: Email) => Email): object => {
    if (!('email' in one)) return one
    const record = emailRecord({ email: shown(one.email), leaseUntil: null }, now)
    return isPermissive ? { index: one.index, status: 202, email: record } : record
  }
  function* responseWith(shown: (email: Email) => Email): Steps<string> {
    const entries: string[] = []
    let characters = 0
    for (const one of sorted) {
      const entry = JSON.stringify(entryOf(one, shown))
      entries.push(entry)
      characters += entry.length
      if (characters < charactersOfStep) continue
      characters = 0
      yield
    }
    return `{"object":"list","data":[${entries.join(',')}]}`
  }
  const bodyJson = yield* responseWith((email) => email)
  const isStoredWhole = emails.every(({ retention }) => retention === undefined)
  return { bodyJson, storedJson: isStoredWhole ? bodyJson : yield* responseWith(withoutShortLived) }
}

type Item = { id?: string; email?: { id: string }; error?: object }

/** Returns the stored response to a batch with the records of some of its emails replaced. */
export const withRecords = (stored: string, records: ReadonlyMap<string, object>): Steps<string> =>
  changeItems(stored, (json) => {
    const item = JSON.parse(json) as Item
    const record = records.get(item.email?.id ?? item.id ?? '')
    if (record === undefined) return json
    return JSON.stringify(item.email === undefined ? record : { ...item, email: record })
  })
