import { compose } from '@postrider/mail/compose.ts'
import type { Content, Email, Mailbox } from './email.ts'

const ofKind = (email: Email, kind: 'to' | 'cc'): Mailbox[] =>
  email.recipients.filter((recipient) => recipient.kind === kind).map(({ name, address }) => ({ name, address }))

/**
 * The message as every server gets it: the same bytes each time, so it is composed when needed and never stored.
 * Bcc recipients are in the envelope alone.
 */
export const messageOf = (email: Email, content: Content): Uint8Array =>
  compose({
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
  })

/** Most bytes that a character of text may become: three of UTF-8, each `=XX`, its share of folds and soft line breaks. */
const mostBytesOfCharacter = 13
/** What surrounds a header field, a part or the message, at most. */
const frameBytes = { field: 128, part: 1_024, message: 16_384 }

/** More bytes than the message can have, without composing it; base64 adds 37 %. */
const upperBound = (
  { subject, recipients, from, replyTo }: Email,
  { html, text, headers, attachments }: Content,
): number => {
  const mailboxes = [from, ...replyTo, ...recipients].flatMap(({ name, address }) => [name, address])
  const texts = [subject, html ?? '', text ?? '', ...mailboxes, ...Object.entries(headers).flat()]
  const ofTexts = texts.reduce((bytes, { length }) => bytes + frameBytes.field + mostBytesOfCharacter * length, 0)
  const ofFiles = attachments.reduce(
    (bytes, { content }) => bytes + frameBytes.part + Math.ceil(content.length * 1.38),
    0,
  )
  return frameBytes.message + ofTexts + ofFiles
}

/** Bytes that the finished message has at most: over the limit only where it is; it is composed only to tell that. */
export const mostBytes = (limitBytes: number, email: Email, content: Content): number => {
  const bound = upperBound(email, content)
  return bound <= limitBytes ? bound : messageOf(email, content).length
}
