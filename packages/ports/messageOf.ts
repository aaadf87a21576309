import { compose } from '@postrider/mail/compose.ts'
import type { Content, Email, Mailbox } from './emails.ts'

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

/** More bytes than the message can have, without composing it: quoted-printable triples at worst, base64 adds 37 %. */
const upperBound = ({ subject, recipients }: Email, content: Content): number =>
  16_384 +
  3 * subject.length * 4 +
  recipients.length * 600 +
  13 * ((content.html?.length ?? 0) + (content.text?.length ?? 0)) +
  content.attachments.reduce((bytes, { content }) => bytes + 1_024 + Math.ceil(content.length * 1.38), 0)

/** Whether the finished message is at most `limitBytes`; composed only where a rough bound can't tell. */
export const fitsInto = (limitBytes: number, email: Email, content: Content): boolean =>
  upperBound(email, content) <= limitBytes || messageOf(email, content).length <= limitBytes
