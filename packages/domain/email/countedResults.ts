import { isAboutRecipient, type SmtpPhase } from '@postrider/mail/replies/replies.ts'
import type { RecipientResult } from './transmission.ts'

/* These rules apply to the results of a transmission before they change the email (transmission.ts). */

/**
 * Returns the results, with `alone` for recipients that share a refusal of DATA or of the message if the reply is about
 * a recipient: nothing was accepted, so the others must not bear it.
 * @param addresses of the transaction's recipients, in the order of `results`
 */
export const withoutSharedRefusals = (
  results: readonly RecipientResult[],
  addresses: readonly string[],
): RecipientResult[] => {
  const shared = results.filter(isRefusedMessage)
  const [first] = shared
  const isShared = shared.length > 1 && first && isAboutRecipient(first.reply, addresses)
  return isShared ? results.map((one) => (isRefusedMessage(one) ? { ...one, kind: 'alone' } : one)) : [...results]
}

const isRefusedMessage = (
  result: RecipientResult,
): result is Extract<RecipientResult, { kind: 'answered' }> & { phase: SmtpPhase } =>
  result.kind === 'answered' && (result.phase === 'data' || result.phase === 'dot') && result.reply.code >= 400

const undecided: ReadonlySet<RecipientResult['kind'] | undefined> = new Set([
  'gate_closed',
  'next_transaction',
  'alone',
  undefined,
])

/** Returns whether a result decided about its recipient, so that it counts as an outcome. */
export const hasOutcome = (result: RecipientResult | undefined): boolean => !undecided.has(result?.kind)

/**
 * Returns the results as they count for the retry schedule. A connection that we cut off before the dot because the
 * process stops uses no try. A server that leaves every recipient to the next transaction does use one, or it would be
 * tried without end.
 */
export const countedResults = (results: readonly RecipientResult[], isStopping: boolean): RecipientResult[] => {
  if (results.every(({ kind }) => kind === 'next_transaction')) {
    return results.map(() => ({ kind: 'lost_before_dot', reason: 'The server accepted no recipient.' }))
  }
  return results.map((result) => (isStopping && result.kind === 'lost_before_dot' ? { kind: 'gate_closed' } : result))
}
