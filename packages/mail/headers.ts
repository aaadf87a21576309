import { detectMimeType } from 'nodemailer/lib/mime-funcs'
import { nameProblem, type TextProblem, textProblem } from './text.ts'

/** Most characters in the name of a custom field. */
const longestName = 76
/** Most characters in its value: as many as a line has (RFC 5322 §2.1.1). */
const longestValue = 998

/**
 * Custom fields that a caller may set in addition to `X-…`: they thread, label or describe a message. Excluded on
 * purpose: fields that Postrider writes, fields that route or authenticate (Return-Path, Received, Resent-…,
 * DKIM-Signature, ARC-…), fields that describe the bytes (Content-…), Reply-To, which is a field of the request, and
 * List-Unsubscribe…, whose links must lead to Postrider so that it learns of an unsubscribe.
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

/** Returns the problem of a custom header field; null: none. */
export const checkHeader = (name: string, value: string): TextProblem | null => {
  const folded = name.length > longestName ? '' : name.toLowerCase()
  if (!allowed.has(folded) && !custom.test(folded)) {
    const message = `This header cannot be set; use X-… or one of ${[...allowed].join(', ')}.`
    return { code: 'header_not_allowed', message }
  }
  if (value.length > longestValue) {
    return { code: 'header_too_long', message: `The value of a header has at most ${longestValue} characters.` }
  }
  return textProblem(value)
}

const longestFilename = 255

/** Extensions of files that can run when opened: the types that large receivers refuse. Gmail's list is the longest. */
const executables: ReadonlySet<string> = new Set(
  (
    'ade adp apk app appx appxbundle bat cab chm cmd com cpl diagcab diagcfg diagpkg dll dmg ex ex_ exe gadget hta img ' +
    'ins inf iso isp jar jnlp js jse lib lnk mde mjs msc msi msix msixbundle msp mst nsh pif ps1 psc1 reg scf scr sct ' +
    'shb sys vb vbe vbs vhd vxd wsc wsf wsh xll'
  ).split(' '),
)

/**
 * Returns the name of an attachment without its folders, or its problem: a name must not choose where the receiver writes
 * the file, look like another name, or belong to an executable file.
 */
export const attachmentName = (filename: string): { ok: true; name: string } | ({ ok: false } & TextProblem) => {
  if (filename.length > 4 * longestFilename) return badName(`A file name has at most ${longestFilename} characters.`)
  const problem = nameProblem(filename)
  if (problem) return { ok: false, ...problem }
  const name = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1).trim()
  if (/^\.*$/.test(name)) return badName('An attachment needs a file name.')
  if (name.length > longestFilename) return badName(`A file name has at most ${longestFilename} characters.`)
  if (!executables.has(extensionOf(name))) return { ok: true, name }
  const message = `Files of this type (${extensionOf(name)}) can run, so receivers refuse them; attach another type of file.`
  return { ok: false, code: 'executable_attachment', message }
}

const badName = (message: string) => ({ ok: false, code: 'invalid_filename', message }) as const

/** Returns the extension as Windows sees it: without dots and spaces at the end, and without a stream name after a colon. */
const extensionOf = (name: string): string => {
  const bare = (name.split(':', 1)[0] ?? '').replace(/[. ]+$/, '').toLowerCase()
  return bare.slice(bare.lastIndexOf('.') + 1)
}

/** RFC 2045 §5.1: tokens, and parameters of tokens or quoted strings. */
const mediaType =
  /^[\w!#$%&'*+.^`{|}~-]+\/[\w!#$%&'*+.^`{|}~-]+(?: ?; ?[\w!#$%&'+.^`{|}~-]+=(?:[\w!#$%&'*+.^`{|}~-]+|"[ !#-[\]-~]*"))*$/

/** Returns the problem of an attachment's media type; null: none. */
export const checkContentType = (contentType: string): TextProblem | null => {
  const invalid = (message: string) => ({ code: 'invalid_content_type', message })
  if (contentType.length > 255) return invalid('A media type has at most 255 characters.')
  const problem = textProblem(contentType)
  if (problem) return problem
  if (!mediaType.test(contentType)) return invalid('This is not a media type such as application/pdf.')
  // RFC 2045 §6.4: these cannot be in base64, and a receiver would parse their content as a part of the message.
  if (/^(?:multipart|message)\//i.test(contentType)) {
    return invalid(
      'Messages and multipart bodies cannot be attached under their own type; use application/octet-stream.',
    )
  }
  return null
}

/** Returns the media type for a file name; `application/octet-stream` for an unknown extension. */
export const contentTypeOf = (filename: string): string => detectMimeType(extensionOf(filename))

/** RFC 2392 §2: an addr-spec, as `cid:` URLs in the HTML contain it. A word without a domain is common and works. */
const contentIdShape = /^[\w!#$%&'*+/=?^`{|}~.@-]{1,128}$/

/** Returns the problem of an inline attachment's Content-ID, written without angle brackets; null: none. */
export const checkContentId = (contentId: string): TextProblem | null => {
  if (contentIdShape.test(contentId)) return null
  const problem = contentId.length > 128 ? null : textProblem(contentId)
  return (
    problem ?? {
      code: 'invalid_content_id',
      message: 'A content_id has 1 to 128 characters: letters, digits, . _ - @ + and the like, no angle brackets.',
    }
  )
}
