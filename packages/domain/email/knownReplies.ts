import { classify } from '@postrider/mail/replies/replies.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import { type Classify, type RecipientResult, refusalOf, senderFor } from './transmission.ts'

/** Maximum number of characters of most replies. */
const usualLength = 200

/**
 * Classifies each distinct refusal of a transmission once, and returns a function that looks up their classes. It
 * pauses before each but a first short one: a server decides how many there are and how long, and to match a long one
 * takes milliseconds.
 * @param sender the return path of the email
 */
export function* knownReplies(results: readonly RecipientResult[], sender: string): Steps<Classify> {
  const known = new Map<string, ReturnType<Classify>>()
  for (const result of results) {
    const refusal = refusalOf(result)
    if (refusal === null) continue
    const { reply, phase } = refusal
    const named = senderFor(result, sender)
    const key = keyOf(reply, phase, named)
    if (known.has(key)) continue
    if (known.size > 0 || reply.text.length > usualLength) yield
    known.set(key, classify(reply, phase, named))
  }
  return (...reply) => known.get(keyOf(...reply)) ?? classify(...reply)
}

const keyOf = (...[{ code, enhanced, text }, phase, sender]: Parameters<Classify>): string =>
  JSON.stringify([code, enhanced, phase, sender, text])
