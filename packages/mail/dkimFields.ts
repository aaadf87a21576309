import { canonicalField, type Field } from './dkimCanonical.ts'

/**
 * Fields that are signed once more often than they occur, even if they do not occur (RFC 6376 §5.4, §8.15). A field
 * that is added on the way then breaks the signature.
 */
const oversigned = [
  'From',
  'To',
  'Cc',
  'Subject',
  'Date',
  'Message-ID',
  'Reply-To',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
] as const

/**
 * Fields that are signed as often as they occur. A mailing list adds the first ones (RFC 6376 §5.4.1). RFC 8058 §4
 * requires both fields of the one-click unsubscribe, and Feedback-ID counts at mailbox providers only if it is signed.
 */
const signedIfPresent = [
  'In-Reply-To',
  'References',
  'List-Id',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  'Feedback-ID',
] as const

/** The fields of a signature: the names of its tag `h`, and the fields themselves in canonical form, each with CRLF. */
export type SignedFields = { names: string[]; canonical: string }

/** Returns the index of the empty line after the header, or the end of a message that has none. */
export const headerEnd = (message: Buffer): number => {
  const end = message.indexOf('\r\n\r\n', 0, 'latin1')
  return end === -1 ? message.length : end + 2
}

/**
 * Returns what a signature covers. Of several fields of one name the last is signed first (RFC 6376 §5.4.2). A name
 * that is left over stands for a field that is absent and adds nothing (RFC 6376 §3.7).
 * @throws Error for a message without exactly one From, which no mail may have
 */
export const signedFields = (fields: readonly Field[]): SignedFields => {
  if (fields.filter(({ name }) => name === 'from').length !== 1) {
    throw new Error('a message to sign needs exactly one From')
  }
  const last = fields.toReversed()
  const names: string[] = []
  let canonical = ''
  const sign = (name: string): void => {
    const folded = name.toLowerCase()
    for (const field of last) {
      if (field.name !== folded) continue
      names.push(name)
      canonical += `${canonicalField(field)}\r\n`
    }
  }
  for (const name of oversigned) {
    sign(name)
    names.push(name)
  }
  for (const name of signedIfPresent) sign(name)
  return { names, canonical }
}
