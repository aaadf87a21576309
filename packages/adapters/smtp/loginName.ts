import type { RecipientResult, SmtpReply, Transmission } from '@postrider/domain/email/transmission.ts'
import { isReplyWord } from '@postrider/mail/repliesWords.ts'
import type { Outgoing } from '@postrider/ports/transport.ts'
import { spelling } from './login.ts'

/**
 * Returns a function that hides the login name of the relay in what is stored of a transmission: some servers quote it
 * when they refuse a message, and the tenant reads their replies. An address of the message is not hidden. Replies keep
 * their text, which is classified.
 */
export const withoutLoginName = (user: string | undefined) => {
  // A frequent word, as in "no such user", identifies no account, and replies without it cannot be read.
  const pattern = user === undefined || user === '' || isReplyWord(user) ? null : wholeName(user)
  return (sent: Transmission, { from, to }: Outgoing): Transmission => {
    const isOfMail = [from, ...to].some((address) => address.toLowerCase() === user?.toLowerCase())
    if (pattern === null || isOfMail) return sent
    const hide = (text: string): string => text.replaceAll(pattern, '***')
    return {
      ...sent,
      steps: sent.steps.map((step) => ({ ...step, reply: hide(step.reply) })),
      results: sent.results.map((result) => hiddenIn(result, hide)),
    }
  }
}

/** Neither a part of a longer name nor the first part of an address. */
const wholeName = (user: string): RegExp =>
  new RegExp(`(?<![${letters}.@+-])${spelling(user)}(?![${letters}@+-]|\\.[${letters}])`, 'giu')

/** Letters of all languages: the replacement character is one that was in another encoding. */
const letters = '\\p{L}\\p{M}\\p{N}_\\ufffd'

const hiddenIn = (result: RecipientResult, hide: (text: string) => string): RecipientResult => {
  const shown = (reply: SmtpReply): SmtpReply => ({ ...reply, shown: hide(reply.text) })
  if ('reply' in result) return { ...result, reply: shown(result.reply) }
  return 'reason' in result ? { ...result, reason: hide(result.reason) } : result
}
