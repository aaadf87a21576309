import { controlsProvider, hasPrefix } from './providerHeaders.ts'
import { type TextProblem, textProblem } from './text.ts'

/** Maximum number of characters in the name of a custom field. */
const maxNameLength = 76
/** Maximum number of characters in its value: as many as a line has (RFC 5322 §2.1.1). */
const maxValueLength = 998

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

/** Header fields whose grammar has no text, so that other characters could not be encoded in them (RFC 2047 §5). */
const structured: ReadonlySet<string> = new Set(
  (
    'accept-language auto-submitted feedback-id importance in-reply-to list-archive list-help list-owner list-post ' +
    'list-subscribe precedence priority references sensitivity thread-index'
  ).split(' '),
)

const custom = /^x-[\w-]+$/
/** Names in ASCII: `toLowerCase` maps the Kelvin sign (U+212A) to `k`, and a name with it cannot be written. */
const asciiName = /^[\w-]*$/

const nonAscii = /[^\0-\x7f]/
const notAscii: TextProblem = { code: 'not_ascii', message: 'This header may contain only ASCII characters.' }

const notAllowed = (message: string): TextProblem => ({ code: 'header_not_allowed', message })

/** Returns the problem of a custom header field; null: none. */
export const checkHeader = (name: string, value: string): TextProblem | null => {
  const folded = name.length <= maxNameLength && asciiName.test(name) ? name.toLowerCase() : ''
  if (!allowed.has(folded) && !custom.test(folded)) {
    return notAllowed(`This header cannot be set; use X-… or one of ${[...allowed].join(', ')}.`)
  }
  if (controlsProvider(folded)) {
    return notAllowed('Headers that control a mail provider cannot be set; use another name.')
  }
  if (value.length > maxValueLength) {
    return { code: 'header_too_long', message: `The value of a header must be at most ${maxValueLength} characters.` }
  }
  return textProblem(value) ?? (structured.has(folded) && nonAscii.test(value) ? notAscii : null)
}

/** Returns the problem of a field whose name the operator excluded by prefix; null: none. */
export const checkHeaderPrefix = (name: string, refused: readonly string[]): TextProblem | null =>
  refused.length > 0 && hasPrefix(name, refused)
    ? notAllowed('The operator of this service does not allow headers with this name; use another name.')
    : null
