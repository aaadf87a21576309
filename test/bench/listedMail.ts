import type { Content, Email } from '@postrider/domain/email/email.ts'
import { isUnavailable } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { anEmail, aRecipient } from '../support/anEmail.ts'

/* The mail of the benches of lists. */

const content: Content = { html: null, text: 'Hello', headers: {}, attachments: [] }
export const words =
  'your order receipt welcome season sale password reset code invoice shipped thanks weekly digest update'.split(' ')

/** Spreads the numbers of emails over all values. */
export const pick = (number: number, of: number): number => (Math.imul(number, 0x9e3779b1) >>> 8) % of

/** Description of stored mail: `count` emails of a workspace, the last of them a millisecond before `now`. */
export type Listed = { count: number; now: number; over?: Partial<Email> }

/** Mail of one workspace, mostly delivered. Every hundredth bounced, and the newest waits. */
const mail = (number: number, { count, now, over }: Listed): Email => {
  const sender = number % 10
  const isWaiting = number >= count - 100
  const status = isWaiting ? 'queued' : number % 100 === 0 ? 'bounced' : 'delivered'
  const chosen = Array.from({ length: 4 }, (_, word) => words[pick(number + word * 7, words.length)])
  return anEmail({
    id: newId('em'),
    createdAt: now - count + number,
    from: { name: '', address: `sender${sender}@postrider.example` },
    subject: `${chosen.join(' ')} ${pick(number, 1_000_000)}`,
    // A sender uses one template, so the pair of another one matches nothing although both are frequent.
    templateId: `tpl_${sender}`,
    tags: { campaign: `c${pick(number, 1_000)}` },
    recipients: [
      aRecipient({ address: `person${pick(number, 100_000)}@example.com`, status, nextAt: isWaiting ? now : null }),
    ],
    ...over,
  })
}

/** A store on a busy machine may be too slow for an insert; the same one can be repeated. */
const insert = async (into: EmailStore, email: Email): Promise<void> => {
  for (;;) {
    try {
      await into.insert(email, content)
      return
    } catch (thrown) {
      if (!isUnavailable(thrown)) throw thrown
    }
  }
}

/** Stores mail, `atOnce` in one commit. */
export const storeListed = async (
  into: EmailStore,
  listed: Listed,
  atOnce: number,
  synced: () => Promise<void>,
): Promise<void> => {
  for (let from = 0; from < listed.count; from += atOnce) {
    const batch = Array.from({ length: Math.min(atOnce, listed.count - from) }, (_, one) => mail(from + one, listed))
    await Promise.all(batch.map((one) => insert(into, one)))
    await synced()
  }
}
