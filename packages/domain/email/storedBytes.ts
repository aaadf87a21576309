import { charactersOfStep, type Steps } from '@postrider/mail/steps.ts'
import type { Content, Email } from './email.ts'

/** Approximate bytes of the record of a new email without its texts. */
const recordBytes = 4_096

/**
 * Returns about how many bytes a store needs for an email, in short steps: texts in UTF-8, and attachments. The bound
 * of the message's size cannot be used instead: it may be 13 times the size of a text.
 */
export function* storedBytesSteps(email: Email, { html, text, headers, attachments }: Content): Steps<number> {
  const { from, replyTo, recipients, subject, tags, metadata } = email
  const mailboxes = [from, ...replyTo, ...recipients].flatMap(({ name, address }) => [name, address])
  const labels = [headers, tags, metadata].flatMap((one) => Object.entries(one).flat())
  let bytes = attachments.reduce((sum, { content }) => sum + content.length, recordBytes)
  for (const one of [...mailboxes, ...labels]) bytes += Buffer.byteLength(one)
  for (const one of [subject, html ?? '', text ?? '']) bytes += yield* utf8BytesSteps(one)
  return bytes
}

function* utf8BytesSteps(text: string): Steps<number> {
  if (text.length <= charactersOfStep) return Buffer.byteLength(text)
  let bytes = 0
  for (let from = 0; from < text.length; from += charactersOfStep) {
    bytes += Buffer.byteLength(text.slice(from, from + charactersOfStep))
    yield
  }
  return bytes
}

/** Returns what a waiting email counts in bytes. Earlier releases stored the bound of its message only. */
export const queuedBytes = ({ storedBytes, messageBytes = 0 }: Pick<Email, 'storedBytes' | 'messageBytes'>): number =>
  storedBytes ?? messageBytes
