import { type Mailbox, needsSmtpUtf8 } from '@postrider/mail/address.ts'
import { type AddressForm, composeSteps } from '@postrider/mail/compose.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import type { Content, Email } from './email.ts'

const ofKind = (email: Email, kind: 'to' | 'cc'): Mailbox[] =>
  email.recipients.filter((recipient) => recipient.kind === kind).map(({ name, address }) => ({ name, address }))

/**
 * Returns the finished message. The bytes of a form are the same each time and for every server, so the message is
 * composed when needed and never stored. Bcc recipients appear in the envelope only. It has short steps, because it may
 * be long.
 */
export const messageSteps = (email: Email, content: Content, form?: AddressForm): Steps<Uint8Array> => {
  const message = {
    id: email.id,
    from: email.from,
    to: ofKind(email, 'to'),
    cc: ofKind(email, 'cc'),
    replyTo: email.replyTo,
    subject: email.subject,
    date: new Date(email.createdAt),
    messageId: email.messageId,
    headers: content.headers,
    html: content.html,
    text: content.text,
    attachments: content.attachments,
  }
  return composeSteps(message, form)
}

/**
 * Returns whether a transmission to these addresses uses the form `utf8` where the server offers SMTPUTF8: an address
 * of it, the sender's address, or a reply-to address, needs that. Other mail never does, because SMTPUTF8 is needed on
 * the whole way (RFC 6531 §3.1).
 */
export const wantsUtf8 = (email: Email, to: readonly string[]): boolean =>
  isUtf8Sender(email) || to.some(needsSmtpUtf8) || email.replyTo.some(({ address }) => needsSmtpUtf8(address))

/** Returns whether the message can be sent with SMTPUTF8 only: in ASCII, From would have no address. */
export const isUtf8Sender = ({ from }: Email): boolean => needsSmtpUtf8(from.address)

/** Characters and bytes of content from which on a message is composed in slices. */
const longContent = 65_536

/** Returns the characters of the texts and the bytes of the attachments, in total. */
export const contentLength = ({ html, text, attachments }: Content): number =>
  attachments.reduce((sum, { content }) => sum + content.length, (html?.length ?? 0) + (text?.length ?? 0))

/** Returns whether composing a message needs so long that the work must pause. */
export const isLongContent = (content: Content): boolean => contentLength(content) > longContent

/**
 * Maximum number of bytes that a character of text becomes: three of UTF-8, each as `=XX`, with its share of soft line
 * breaks.
 */
const maxBytesOfCharacter = 13
/** Maximum number of bytes around a header field, a part and the message. */
const frameBytes = { field: 128, part: 1_024, message: 16_384 }

/** Returns more bytes than the message can have, without composing it. Base64 adds 37 %. */
const upperBound = (
  { subject, recipients, from, replyTo }: Email,
  { html, text, headers, attachments }: Content,
): number => {
  const mailboxes = [from, ...replyTo, ...recipients].flatMap(({ name, address }) => [name, address])
  const texts = [subject, html ?? '', text ?? '', ...mailboxes, ...Object.entries(headers).flat()]
  const ofTexts = texts.reduce((bytes, { length }) => bytes + frameBytes.field + maxBytesOfCharacter * length, 0)
  const ofFiles = attachments.reduce(
    (bytes, { content }) => bytes + frameBytes.part + Math.ceil(content.length * 1.38),
    0,
  )
  return frameBytes.message + ofTexts + ofFiles
}

/**
 * Returns an upper bound of the finished message's size, in short steps. It is exact when a rough bound exceeds the
 * limit.
 */
export function* maxBytesSteps(limitBytes: number, email: Email, content: Content): Steps<number> {
  const bound = upperBound(email, content)
  return bound <= limitBytes ? bound : (yield* messageSteps(email, content)).length
}
