import { batchOperation } from '@postrider/contracts/http/sendBatch.ts'
import { withoutAddressIn } from '@postrider/domain/retention/redactText.ts'
import type { EmailBatches } from '@postrider/ports/emailBatches.ts'
import type { Erasure } from '@postrider/ports/erasures.ts'
import type { IdempotencyStore } from '@postrider/ports/idempotency.ts'
import { changedRefusals } from './batchAnswer.ts'

export type RedactDeps = {
  emails: Pick<EmailBatches, 'changeResults'>
  idempotency: Pick<IdempotencyStore, 'changeAnswers'>
}

/**
 * Removes an erased address from the refusals in stored answers to batches: no email leads to them. Other answers have no
 * refusals, because a request that accepted nothing is not stored. It can be repeated.
 */
export const redactAnswers = async (
  { emails, idempotency }: RedactDeps,
  { workspace, address }: Pick<Erasure, 'workspace' | 'address'>,
): Promise<void> => {
  const clean = changedRefusals((text) => withoutAddressIn(text, address))
  // Results first: an answer that is made from them later does not have the address.
  await emails.changeResults(workspace, clean)
  for (const mode of ['live', 'test']) await idempotency.changeAnswers(`${workspace} ${mode} ${batchOperation}`, clean)
}
