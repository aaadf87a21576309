import { detectMimeType } from 'nodemailer/lib/mime-funcs'
import { nameProblem, type TextProblem, textProblem } from './text.ts'

/** A custom header field as callers may send it; both in characters. */
const longestName = 76
/** RFC 5322 §2.1.1: what a line can hold. */
const longestValue = 998

/**
 * Custom fields a caller may set beside `X-…`: they thread, label or describe a message and steer nothing of ours. Not
 * here on purpose: what we write ourselves, what routes or attests (Return-Path, Received, Resent-…, DKIM-Signature,
 * ARC-…), what describes the bytes (Content-…), Reply-To, which is a field of the request, and List-Unsubscribe…, whose
 * links must be ours for an unsubscribe to be obeyed.
 */
const allowed: ReadonlySet<string> = new Set([
  'accept-language',
  'auto-submitted', // RFC 3834 §5
  'comments',
  'feedback-id',
  'importance',
  'in-reply-to',
  'keywords',
  'list-archive',
  'list-help', // RFC 2369 §3
  'list-id', // RFC 2919 §3
  'list-owner',
  'list-post',
  'list-subscribe',
  'organization',
  'precedence',
  'priority',
  'references',
  'sensitivity',
  'thread-index',
  'thread-topic',
])

const custom = /^x-[\w-]+$/

/** What is wrong with a custom header field; null: nothing. */
export const checkHeader = (name: string, value: string): TextProblem | null => {
  const folded = name.length > longestName ? '' : name.toLowerCase()
  if (!allowed.has(folded) && !custom.test(folded)) {
    const message = `This header can’t be set; allowed are X-… and ${[...allowed].join(', ')}.`
    return { code: 'header_not_allowed', message }
  }
  if (value.length > longestValue) {
    return { code: 'header_too_long', message: `A header’s value has at most ${longestValue} characters.` }
  }
  return textProblem(value)
}

const longestFilename = 255

/** What runs when it is opened, somewhere: the types that the large receivers refuse, Gmail's list the longest. */
const executables: ReadonlySet<string> = new Set(
  (
    'ade adp apk app appx appxbundle bat cab chm cmd com cpl diagcab diagcfg diagpkg dll dmg ex ex_ exe gadget hta img ' +
    'ins inf iso isp jar jnlp js jse lib lnk mde mjs msc msi msix msixbundle msp mst nsh pif ps1 psc1 reg scf scr sct ' +
    'shb sys vb vbe vbs vhd vxd wsc wsf wsh xll'
  ).split(' '),
)

/**
 * An attachment's name without the folders before it, or what is wrong with it: a name must not tell the receiver where
 * to write, look like another, or be run.
 */
export const attachmentName = (filename: string): { ok: true; name: string } | ({ ok: false } & TextProblem) => {
  if (filename.length > 4 * longestFilename) return badName(`A file name has at most ${longestFilename} characters.`)
  const problem = nameProblem(filename)
  if (problem) return { ok: false, ...problem }
  const name = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1).trim()
  if (/^\.*$/.test(name)) return badName('An attachment needs a file name.')
  if (name.length > longestFilename) return badName(`A file name has at most ${longestFilename} characters.`)
  if (!executables.has(extensionOf(name))) return { ok: true, name }
  const message = `Files of this kind (${extensionOf(name)}) are not delivered by most receivers, and not by us.`
  return { ok: false, code: 'executable_attachment', message }
}

const badName = (message: string) => ({ ok: false, code: 'invalid_filename', message }) as const

/** What Windows would take for it: dots and spaces at the end don't count, and a stream's name follows a colon. */
const extensionOf = (name: string): string => {
  const bare = (name.split(':', 1)[0] ?? '').replace(/[. ]+$/, '').toLowerCase()
  return bare.slice(bare.lastIndexOf('.') + 1)
}

/** RFC 2045 §5.1: tokens, and parameters of tokens or quoted strings. */
const mediaType =
  /^[\w!#$%&'*+.^`{|}~-]+\/[\w!#$%&'*+.^`{|}~-]+(?: ?; ?[\w!#$%&'+.^`{|}~-]+=(?:[\w!#$%&'*+.^`{|}~-]+|"[ !#-[\]-~]*"))*$/

/** What is wrong with an attachment's media type; null: nothing. */
export const checkContentType = (contentType: string): TextProblem | null => {
  const invalid = (message: string) => ({ code: 'invalid_content_type', message })
  if (contentType.length > 255) return invalid('A media type has at most 255 characters.')
  const problem = textProblem(contentType)
  if (problem) return problem
  if (!mediaType.test(contentType)) return invalid('This is not a media type such as application/pdf.')
  // RFC 2045 §6.4: these can't be in base64, and a receiver would read what is in them as part of the message.
  if (/^(?:multipart|message)\//i.test(contentType)) {
    return invalid('Messages and multipart bodies can only be attached as application/octet-stream.')
  }
  return null
}

/** The media type of a file by its name's ending; `application/octet-stream` where that tells nothing. */
export const contentTypeOf = (filename: string): string => detectMimeType(extensionOf(filename))

/** RFC 2392 §2: an addr-spec, as `cid:` in the HTML names it; a word without a domain is common and works. */
const contentIdShape = /^[\w!#$%&'*+/=?^`{|}~.@-]{1,128}$/

/** What is wrong with an inline attachment's Content-ID, given without angle brackets; null: nothing. */
export const checkContentId = (contentId: string): TextProblem | null => {
  if (contentIdShape.test(contentId)) return null
  const problem = contentId.length > 128 ? null : textProblem(contentId)
  return (
    problem ?? {
      code: 'invalid_content_id',
      message: 'A content_id has 1 to 128 letters, digits and . _ - @ +, without angle brackets.',
    }
  )
}
