import { type Mailbox, needsSmtpUtf8 } from './address.ts'
import { dispositionField, listField, phrase, textField } from './headerText.ts'
import { contentTypeOf } from './mediaType.ts'
import type { Steps } from './steps.ts'
import { base64Lines, encodeText, type Pieces } from './transferEncoding.ts'

/** `contentType` empty: derived from the file name. `contentId` null: the HTML does not show it. */
export type ComposedAttachment = {
  filename: string
  contentType: string
  contentId: string | null
  content: Uint8Array
}

/** A message of checked parts: addresses as `parseMailbox` returns them, header fields that `checkHeader` allows. */
export type Message = {
  /** The email's id. Boundaries are derived from it, so a message always has the same bytes. */
  id: string
  from: Mailbox
  to: readonly Mailbox[]
  cc: readonly Mailbox[]
  replyTo: readonly Mailbox[]
  subject: string
  date: Date
  /** Message id with its angle brackets. */
  messageId: string
  /** Custom fields, in order. */
  headers: Readonly<Record<string, string>>
  html: string | null
  text: string | null
  attachments: readonly ComposedAttachment[]
}

/** A MIME part: its header fields without the empty line, and its body without the final line end. */
type Part = { header: string; body: Pieces }

/**
 * Form of addresses that need SMTPUTF8. `utf8`: as they are, for a transaction with SMTPUTF8 (RFC 6532 §3.2).
 * `ascii`: as an empty group with the address as its name (RFC 6857 §3.1), so that every server accepts the message.
 */
export type AddressForm = 'ascii' | 'utf8'

/**
 * Returns the message as it is sent to a server (RFC 5322, RFC 2045): only CRLF line ends, no line over 998 octets,
 * 7-bit except for addresses in the form `utf8`, not dot-stuffed, without Bcc recipients (RFC 5322 §3.6.3). It has
 * short steps, because it may be long.
 */
export function* composeSteps(message: Message, form: AddressForm = 'ascii'): Steps<Buffer> {
  const { header, body } = yield* treeOf(message)
  const lastLine = body.length === 0 || endsLine(body) ? '' : '\r\n'
  return yield* bytesOf([`${fieldsOf(message, form)}MIME-Version: 1.0\r\n${header}\r\n`, ...body, lastLine])
}

/** No piece of a body begins inside a line end. */
const endsLine = (body: Pieces): boolean => {
  const last = body.at(-1) ?? ''
  return typeof last === 'string' ? last.endsWith('\r\n') : last.at(-2) === 0x0d && last.at(-1) === 0x0a
}

/** Bytes that are written between two pauses. */
const bytesPerStep = 65_536

function* bytesOf(pieces: Pieces): Steps<Buffer> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length <= bytesPerStep && pieces.every((piece) => typeof piece === 'string')) {
    return Buffer.from(pieces.join(''), 'latin1')
  }
  const out = Buffer.allocUnsafe(length)
  let [at, pauseAt] = [0, bytesPerStep]
  for (const piece of pieces) {
    if (typeof piece === 'string') out.write(piece, at, 'latin1')
    else out.set(piece, at)
    at += piece.length
    if (at < pauseAt) continue
    pauseAt = at + bytesPerStep
    yield
  }
  return out
}

const fieldsOf = (message: Message, form: AddressForm): string => {
  const { from, to, cc, replyTo, subject, date, messageId, headers } = message
  const custom = Object.entries(headers).map(([name, value]) => textField(requireName(name), value))
  return [
    addressField('From', [from], form),
    addressField('To', to, form),
    addressField('Cc', cc, form),
    addressField('Reply-To', replyTo, form),
    textField('Subject', subject),
    // RFC 5322 §3.3; “GMT” is an obsolete zone there.
    `Date: ${date.toUTCString().replace('GMT', '+0000')}\r\n`,
    `Message-ID: ${requireVisible(messageId)}\r\n`,
    ...custom,
  ].join('')
}

const addressField = (name: string, mailboxes: readonly Mailbox[], form: AddressForm): string => {
  if (mailboxes.length === 0) return ''
  const last = mailboxes.length - 1
  const parts = mailboxes.flatMap((mailbox, index) => {
    const words = mailboxWords(mailbox, form)
    return index === last ? words : [...words.slice(0, -1), `${words.at(-1)},`]
  })
  return listField(name, parts)
}

const mailboxWords = ({ name, address }: Mailbox, form: AddressForm): string[] => {
  const checked = requireAddress(address)
  if (form === 'ascii' && needsSmtpUtf8(address)) return groupWords(name === '' ? address : `${name} <${address}>`)
  // The message is written as bytes, one per character.
  const written = needsSmtpUtf8(address) ? Buffer.from(checked, 'utf8').toString('latin1') : checked
  return name === '' ? [written] : [...phrase(name), `<${written}>`]
}

/** RFC 5322 §3.4: a group without members. */
const groupWords = (name: string): string[] => {
  const words = phrase(name)
  return [...words.slice(0, -1), `${words.at(-1)}:;`]
}

/** Returns multipart/mixed of the text and the files. A multipart of one part is replaced by that part. */
function* treeOf({ id, html, text, attachments }: Message): Steps<Part> {
  const inline = html === null ? [] : attachments.filter(({ contentId }) => contentId !== null)
  const files = attachments.filter((attachment) => !inline.includes(attachment))
  const boundary = boundaryOf(id, [html ?? '', text ?? ''])
  const shown =
    html === null
      ? null
      : wrap('related', `${boundary}r`, [yield* textPart('html', html), ...(yield* fileParts(inline))])
  const plain = text === null && shown !== null ? null : yield* textPart('plain', text ?? '')
  const alternatives = [plain, shown].filter((part) => part !== null)
  const alternative = wrap('alternative', `${boundary}a`, alternatives)
  return wrap('mixed', `${boundary}m`, [alternative, ...(yield* fileParts(files))])
}

/**
 * Neither base64 nor quoted-printable can contain “=_” (RFC 2045 §6.7). Unencoded text can, so the boundary is extended
 * until no text contains it.
 */
const boundaryOf = (id: string, texts: readonly string[]): string => {
  if (!/^\w{1,40}$/.test(id)) throw new Error(`the id cannot be part of a boundary: ${JSON.stringify(id)}`)
  let boundary = `=_${id}_`
  while (texts.some((text) => text.includes(boundary))) boundary += '_'
  return boundary
}

const wrap = (kind: 'mixed' | 'alternative' | 'related', boundary: string, parts: readonly Part[]): Part => {
  const [only] = parts
  if (only && parts.length === 1) return only
  // RFC 2387 §3.1: `type` is that of the root part.
  const type = kind === 'related' ? '; type="text/html"' : ''
  const bodies = parts.flatMap(({ header, body }) => [`--${boundary}\r\n${header}\r\n`, ...body, '\r\n'])
  return {
    header: `Content-Type: multipart/${kind}${type};\r\n boundary="${boundary}"\r\n`,
    body: [...bodies, `--${boundary}--\r\n`],
  }
}

function* textPart(subtype: 'plain' | 'html', text: string): Steps<Part> {
  const { encoding, body } = yield* encodeText(text)
  return {
    header: `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n`,
    body,
  }
}

function* fileParts(attachments: readonly ComposedAttachment[]): Steps<Part[]> {
  const parts: Part[] = []
  for (const attachment of attachments) parts.push(yield* filePart(attachment))
  return parts
}

function* filePart({ filename, contentType, contentId, content }: ComposedAttachment): Steps<Part> {
  const type = contentType === '' ? contentTypeOf(filename) : contentType
  const id = contentId === null ? '' : `Content-ID: <${requireVisible(contentId)}>\r\n`
  return {
    header: [
      parametersField('Content-Type', requireType(type)),
      dispositionField(contentId === null ? 'attachment' : 'inline', filename),
      id,
      'Content-Transfer-Encoding: base64\r\n',
    ].join(''),
    body: yield* base64Lines(content),
  }
}

/** Folds between parameters. */
const parametersField = (name: string, value: string): string => listField(name, value.split(/(?<=;) /))

/**
 * Guards against parts that were not checked at acceptance: sending nothing is better than sending a forged message.
 */
const required =
  (what: string, shape: RegExp) =>
  (text: string): string => {
    if (shape.test(text)) return text
    throw new Error(`not ${what}: ${JSON.stringify(text.slice(0, 100))}`)
  }

const requireAddress = required('an address', /^[^\s<>()[\]\\,;:"@\p{C}\p{Z}]{1,64}@[\w.-]{1,253}$/u)
const requireName = required('a field name', /^[\w-]{1,128}$/)
const requireVisible = required('an id', /^[!-~]{1,300}$/)
const requireType = required('a media type', /^[ -~]{1,255}$/)
