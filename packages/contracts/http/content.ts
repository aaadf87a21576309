import { attachmentName, checkContentId, checkContentType, executable } from '@postrider/mail/attachments.ts'
import { base64Steps } from '@postrider/mail/base64.ts'
import { executableContent } from '@postrider/mail/executableContent.ts'
import { finish } from '@postrider/mail/steps.ts'
import { z } from 'zod'
import { type Decoded, decodedOf } from './decodedText.ts'
import { boundedArray, isObject, report, strictObject } from './schema.ts'

export const maxAttachments = 10

const filename = z
  .string()
  .min(1)
  .transform((given, context) => {
    const named = attachmentName(given)
    if (named.ok) return named.name
    report(context, { ...named, input: given })
    return z.NEVER
  })

const startsAsUrl = (text: string | Buffer): boolean => text.slice(0, 5).toString() === 'data:'

/** Returns a content with its bytes, which are decoded here if they were not before; null: it is no text. */
const decodedContent = (given: unknown): Decoded | null =>
  typeof given === 'string' ? { text: given, bytes: finish(base64Steps(given)) } : decodedOf(given)

/** A text in requests. Long ones were decoded before (`DecodedText`), so `z.string()` would refuse them. */
const base64 = z
  .unknown()
  .meta({ type: 'string' })
  .transform((given, context) => {
    const content = decodedContent(given)
    if (content === null) {
      context.addIssue({ code: 'invalid_type', expected: 'string', input: given })
      return z.NEVER
    }
    const { text, bytes } = content
    if (bytes) {
      const format = executableContent(bytes)
      if (format !== null) report(context, executable(format))
      return bytes
    }
    const message = startsAsUrl(text)
      ? 'Must be base64 alone; remove the "data:…;base64," before it.'
      : 'Must be base64 (RFC 4648 §4) with padding and without line breaks.'
    report(context, { code: 'invalid_base64', message })
    return z.NEVER
  })

const headerValue = (check: (value: string) => { code: string; message: string } | null) =>
  z.string().superRefine((value, context) => {
    const problem = check(value)
    if (problem) report(context, { ...problem, input: value })
  })

const Attachment = strictObject({
  filename: filename.describe(
    'File name that the reader sees, up to 255 characters. Folders before it are dropped. Names of executable files, encoded words and parameters are refused.',
  ),
  content: base64.describe(
    'The file’s bytes in base64 (RFC 4648 §4), without line breaks. Programs and scripts are refused.',
  ),
  content_type: headerValue(checkContentType)
    .optional()
    .describe(
      'Media type, such as `application/pdf`, without `name`, `filename` and `boundary` parameters; default: derived from the file name’s extension.',
    ),
  content_id: headerValue(checkContentId)
    .optional()
    .describe('Content id, which makes the file an inline part that `html` shows with `<img src="cid:…">`.'),
}).meta({ id: 'Attachment' })

export const Attachments = boundedArray(Attachment, {
  max: maxAttachments,
  tooMany: { code: 'too_many_attachments', message: `At most ${maxAttachments} attachments are allowed.` },
})

const maxVarsBytes = 64 * 1_024
const deepestVars = 5

/** Text without escapes in JSON, of one byte for each character. The pattern costs less than the JSON of a text. */
const plainText = /^[ !#-[\]-~]*$/

/** Returns the bytes of a text as JSON. */
const textBytes = (text: string): number =>
  plainText.test(text) ? text.length + 2 : Buffer.byteLength(JSON.stringify(text))

/** What one pass over values finds. */
type Measured = {
  /** How many more bytes are allowed as JSON. Below zero the values are too large, and the rest was not read. */
  left: number
  isTooDeep: boolean
  /** `1e999` is valid JSON and reads as infinity, which cannot be printed as a number. */
  hasInfinity: boolean
}

/** @param levels how many levels the value may have */
const measure = (value: unknown, levels: number, measured: Measured): void => {
  if (typeof value === 'string') {
    measured.left -= value.length > measured.left ? value.length : textBytes(value)
  } else if (typeof value !== 'object' || value === null) {
    measured.left -= JSON.stringify(value).length
    measured.hasInfinity ||= typeof value === 'number' && !Number.isFinite(value)
  } else {
    measured.isTooDeep ||= levels === 0
    if (Array.isArray(value)) measureItems(value, levels - 1, measured)
    else measureMembers(value as Record<string, unknown>, levels - 1, measured)
  }
}

/** Returns the bytes of the brackets and the commas. */
const frameBytes = (count: number): number => 2 + Math.max(count - 1, 0)

const measureItems = (items: readonly unknown[], levels: number, measured: Measured): void => {
  measured.left -= frameBytes(items.length)
  for (const item of items) {
    if (measured.left < 0) return
    measure(item, levels, measured)
  }
}

const measureMembers = (object: Record<string, unknown>, levels: number, measured: Measured): void => {
  const names = Object.keys(object)
  measured.left -= frameBytes(names.length)
  for (const name of names) {
    measure(name, levels, measured)
    if (measured.left < 0) return
    // The colon is one byte.
    measured.left -= 1
    measure(object[name], levels, measured)
  }
}

const measuredVars = (vars: unknown): Measured => {
  const measured: Measured = { left: maxVarsBytes, isTooDeep: false, hasInfinity: false }
  measure(vars, deepestVars, measured)
  return measured
}

/** Returns whether values are small enough to be read. */
export const areVarsSmall = (vars: unknown): boolean => measuredVars(vars).left >= 0

/** Values for a template's placeholders. */
export const TemplateVars = z
  .custom<Record<string, unknown>>(isObject, { params: { code: 'wrong_type' }, error: 'Must be an object.' })
  .meta({ type: 'object', additionalProperties: true })
  .transform((vars, context) => {
    const { left, isTooDeep, hasInfinity } = measuredVars(vars)
    if (left < 0) {
      report(context, { code: 'vars_too_large', message: 'template_vars must be at most 64 KiB as JSON.' })
      return z.NEVER
    }
    if (isTooDeep) {
      report(context, { code: 'vars_too_deep', message: `template_vars may be nested at most ${deepestVars} levels.` })
    }
    if (hasInfinity) report(context, { code: 'invalid_number', message: 'A number is too large; send it as a string.' })
    return vars
  })
  .meta({ example: { name: 'Jane', order: { total: '12.50' } } })
