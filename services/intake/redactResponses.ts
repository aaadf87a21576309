import { batchOperation } from '@postrider/contracts/http/sendBatch.ts'
import { modes } from '@postrider/domain/email/email.ts'
import { withoutAddressIn } from '@postrider/domain/retention/purge.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import { mebibyte } from '@postrider/mail/units.ts'
import type { EmailBatches } from '@postrider/ports/emailBatches.ts'
import type { ResponsePosition, StoredErasure } from '@postrider/ports/erasures.ts'
import type { IdempotencyStore } from '@postrider/ports/idempotency.ts'
import { changeItems } from './changeItems.ts'
import { keyScope } from './claimKey.ts'

/** Results, or responses, of one step: a response may have 10 MB. */
const stepResponses = 10
/** Maximum number of results and responses of one round of the sweep, and their characters, about. */
const [maxResponses, maxCharacters] = [2_000, 32 * mebibyte]

const parts = ['results', ...modes] as const satisfies ResponsePosition['part'][]

export type RedactDeps = {
  emails: Pick<EmailBatches, 'changeResults'>
  idempotency: Pick<IdempotencyStore, 'changeResponses'>
  /** Stores the responses of accepted batches whose requests still run. */
  finishRunning(): Promise<void>
}

/**
 * Removes an erased address from the refusals in stored responses to batches: no email leads to them. Other responses
 * have no refusals, because a request that accepted nothing is not stored. All responses are read, a part of them in
 * each round. It can be repeated. A batch that is accepted after its results would have been read counts as sent after
 * the erasure.
 * @returns the position of the last one that was read; null: all were read
 */
export const redactResponses = async (
  { emails, idempotency, finishRunning }: RedactDeps,
  { workspace, address, responsePosition }: Pick<StoredErasure, 'workspace' | 'address' | 'responsePosition'>,
): Promise<ResponsePosition | null> => {
  const clean = withoutRefusedAddress(address)
  let [read, characters] = [0, 0]
  const change = (stored: string): Steps<string> => {
    characters += stored.length
    return clean(stored)
  }
  const step = async ({ part, after }: ResponsePosition): Promise<string | null> => {
    read += stepResponses
    const page = { after, limit: stepResponses }
    // Results first: a response that is made from them later does not have the address.
    if (part === 'results') return emails.changeResults(workspace, page, change)
    // A request that runs has composed its response from the former results, and may store it before this position.
    if (part === modes[0] && after === '') await finishRunning()
    return idempotency.changeResponses(keyScope({ workspace, mode: part }, batchOperation), page, change)
  }
  let position: ResponsePosition = responsePosition ?? { part: parts[0], after: '' }
  while (read < maxResponses && characters < maxCharacters) {
    const after = await step(position)
    const part = after === null ? parts[parts.indexOf(position.part) + 1] : position.part
    if (part === undefined) return null
    position = { part, after: after ?? '' }
  }
  return position
}

/**
 * Returns a function that removes an address from the refusals in stored results, or in a stored response. Items that
 * do not contain the address are not parsed.
 */
const withoutRefusedAddress = (address: string): ((stored: string) => Steps<string>) => {
  const asJson = new RegExp(RegExp.escape(JSON.stringify(address).slice(1, -1)), 'iu')
  const withoutAddress = withoutAddressIn(address)
  const clean = (error: object): object =>
    JSON.parse(JSON.stringify(error), (_, value: unknown) =>
      typeof value === 'string' ? withoutAddress(value) : value,
    )
  return (stored) =>
    changeItems(stored, (json) => {
      if (!asJson.test(json)) return json
      const item = JSON.parse(json) as { error?: object }
      return item.error === undefined ? json : JSON.stringify({ ...item, error: clean(item.error) })
    })
}
