import type { RecipientResult } from '@postrider/domain/email/transmission.ts'
import { needsSmtpUtf8 } from '@postrider/mail/address.ts'
import type { Outgoing } from '@postrider/ports/transport.ts'

/** RFC 6531 §3.5: 5.6.7, non-ASCII addresses not permitted. */
const refused: Extract<RecipientResult, { kind: 'answered' }> = {
  kind: 'answered',
  reply: {
    code: 553,
    enhanced: '5.6.7',
    text: 'Not sent: this address needs SMTPUTF8 (RFC 6531), which the relay does not offer.',
  },
}

const refusedSender: RecipientResult = {
  kind: 'answered',
  reply: {
    ...refused.reply,
    text: 'Not sent: the address of from_ needs SMTPUTF8 (RFC 6531), which the relay does not offer.',
  },
}

export type Carriable = {
  /** The message to the recipients that the server can accept; null: there are none. */
  message: Outgoing | null
  /** Returns the results of all recipients from those of `message`. */
  complete(results: readonly RecipientResult[]): RecipientResult[]
}

/**
 * Returns what a server without SMTPUTF8 can carry. A recipient with characters outside ASCII is refused here (RFC 6531
 * §3.2); the others get the message with such addresses written in ASCII.
 */
export const withoutSmtpUtf8 = (message: Outgoing): Carriable => {
  const isRefused = (address: string): boolean => message.isUtf8Sender === true || needsSmtpUtf8(address)
  const numbers = message.to.flatMap((address, number) => (isRefused(address) ? [] : [number]))
  if (numbers.length === message.to.length) return { message, complete: (results) => [...results] }
  const internationalOnly: Outgoing = {
    ...message,
    to: numbers.map((number) => message.to[number] ?? ''),
    gate: (accepted) => message.gate(accepted.map((index) => numbers[index] ?? -1)),
  }
  return {
    message: numbers.length === 0 ? null : internationalOnly,
    complete: (results) => {
      const all = message.to.map((): RecipientResult => (message.isUtf8Sender ? refusedSender : refused))
      for (const [index, number] of numbers.entries()) all[number] = results[index] ?? refused
      return all
    },
  }
}
