import { batchOperation } from '@postrider/contracts/http/sendBatch.ts'
import type { BatchRefusal } from '@postrider/contracts/services.ts'
import { type Email, modes } from '@postrider/domain/email/email.ts'
import { withoutAddressIn, withoutShortLived } from '@postrider/domain/retention/purge.ts'
import { Fault, type FaultCode, problemMembers } from '@postrider/kit/fault.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import type { EmailBatches } from '@postrider/ports/emailBatches.ts'
import type { Erasure } from '@postrider/ports/erasures.ts'
import type { IdempotencyStore } from '@postrider/ports/idempotency.ts'
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

/** Characters of a response that are written between two pauses. */
const charactersOfStep = 65_536

/**
 * Writes the response to a batch as JSON, and the form in which it is stored: without content that is stored for a shorter time. It
 * pauses between the records, which may have 10 MB together.
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

/** Returns the stored response to a batch with the record of one email replaced. */
export const withRecord = (stored: string, record: { id: string }): string => {
  const response = JSON.parse(stored) as { data: { id?: string; email?: { id: string } }[] }
  const data = response.data.map((one) => {
    if (one.email?.id === record.id) return { ...one, email: record }
    return one.id === record.id ? record : one
  })
  return JSON.stringify({ ...response, data })
}

/** Returns a function that changes the texts of the refusals in stored results, or in a stored response. */
const changedRefusals =
  (change: (text: string) => string) =>
  (stored: string): string => {
    const parsed = JSON.parse(stored) as Results | { data: { error?: object }[] }
    const clean = (error: object): object =>
      JSON.parse(JSON.stringify(error), (_, value: unknown) => (typeof value === 'string' ? change(value) : value))
    if ('refused' in parsed) {
      return JSON.stringify({ ...parsed, refused: parsed.refused.map((one) => ({ ...one, error: clean(one.error) })) })
    }
    const data = parsed.data.map((one) => (one.error === undefined ? one : { ...one, error: clean(one.error) }))
    return JSON.stringify({ ...parsed, data })
  }

export type RedactDeps = {
  emails: Pick<EmailBatches, 'changeResults'>
  idempotency: Pick<IdempotencyStore, 'changeResponses'>
}

/**
 * Removes an erased address from the refusals in stored responses to batches: no email leads to them. Other responses have no
 * refusals, because a request that accepted nothing is not stored. It can be repeated.
 */
export const redactResponses = async (
  { emails, idempotency }: RedactDeps,
  { workspace, address }: Pick<Erasure, 'workspace' | 'address'>,
): Promise<void> => {
  const clean = changedRefusals((text) => withoutAddressIn(text, address))
  // Results first: a response that is made from them later does not have the address.
  await emails.changeResults(workspace, clean)
  for (const mode of modes) await idempotency.changeResponses(`${workspace} ${mode} ${batchOperation}`, clean)
}
