/** Time for which a server's refusal of one more connection counts. Servers do not state for how long it applies. */
export const refusedConnectionMs = 60_000

/** Text of a reply without its codes; `enhanced`: the code of RFC 3463, null: it has none. */
type RecipientReply = { code: number; enhanced: string | null; text: string }

/**
 * Returns whether a refusal of a recipient means that the transaction has enough recipients (RFC 5321 §4.5.3.1.10):
 * 452, or 552 in older servers. Both codes also mean a lack of storage; such a recipient gets the same reply again as
 * the first of the next transaction.
 */
export const hasEnoughRecipients = ({ code, enhanced, text }: RecipientReply): boolean => {
  const isInText = /too many recipients/i.test(text)
  if (enhanced !== null) return enhanced.endsWith('.5.3') || isInText
  return code === 452 || code === 552 || isInText
}
