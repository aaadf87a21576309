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

/**
 * Returns how many of `bytes` the value leaves as JSON. Below zero it is too large, and the rest of it was not read.
 */
const bytesLeft = (value: unknown, bytes: number): number => {
  if (typeof value === 'string') return value.length > bytes ? -1 : bytes - Buffer.byteLength(JSON.stringify(value))
  if (typeof value !== 'object' || value === null) return bytes - JSON.stringify(value).length
  const isArray = Array.isArray(value)
  const names: Iterable<string | number> = isArray ? value.keys() : Object.keys(value)
  let [left, count] = [bytes - 2, 0]
  for (const name of names) {
    left -= (count++ > 0 ? 1 : 0) + (isArray ? 0 : 1)
    if (!isArray) left = bytesLeft(name, left)
    if (left >= 0) left = bytesLeft((value as Record<string | number, unknown>)[name], left)
    if (left < 0) break
  }
  return left
}

/** Whether a value is nested more than `levels` deep. */
const isDeeper = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1))
}

/** `1e999` is valid JSON and reads as infinity, which cannot be printed as a number. */
const isPrintable = (value: unknown): boolean =>
  typeof value === 'number'
    ? Number.isFinite(value)
    : typeof value !== 'object' || value === null || Object.values(value).every(isPrintable)

/** Returns whether values are small enough to be read. */
export const areVarsSmall = (vars: unknown): boolean => bytesLeft(vars, maxVarsBytes) >= 0

/** Values for a template's placeholders. */
export const TemplateVars = z
  .custom<Record<string, unknown>>(isObject, { params: { code: 'wrong_type' }, error: 'Must be an object.' })
  .meta({ type: 'object', additionalProperties: true })
  .transform((vars, context) => {
    if (!areVarsSmall(vars)) {
      report(context, { code: 'vars_too_large', message: 'template_vars must be at most 64 KiB as JSON.' })
      return z.NEVER
    }
    if (isDeeper(vars, deepestVars)) {
      report(context, { code: 'vars_too_deep', message: `template_vars may be nested at most ${deepestVars} levels.` })
    }
    if (!isPrintable(vars))
      report(context, { code: 'invalid_number', message: 'A number is too large; send it as a string.' })
    return vars
  })
  .meta({ example: { name: 'Jane', order: { total: '12.50' } } })
