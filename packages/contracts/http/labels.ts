import { checkHeader } from '@postrider/mail/headers.ts'
import { z } from 'zod'
import { isObject, report } from './schema.ts'

const mostTags = 10
const tagText = /^[A-Za-z0-9_-]{1,256}$/

/** Reads Resend's `[{ name, value }]` as an object of names and values. */
const fromPairs = (raw: unknown, context: z.RefinementCtx): unknown => {
  if (!Array.isArray(raw)) return raw
  const tags: Record<string, unknown> = {}
  for (const [index, pair] of raw.entries()) {
    const { name, value, ...more } = isObject(pair) ? pair : {}
    if (typeof name !== 'string' || typeof value !== 'string' || Object.keys(more).length > 0) {
      report(context, { path: [index], code: 'wrong_type', message: 'Must be { "name": string, "value": string }.' })
    } else if (Object.hasOwn(tags, name)) {
      report(context, { path: [index], code: 'duplicate_tag', message: 'Each name may occur once.' })
    } else tags[name] = value
  }
  return tags
}

export const Tags = z.preprocess(
  fromPairs,
  z
    .record(z.string(), z.string())
    .superRefine((tags, context) => {
      const entries = Object.entries(tags)
      if (entries.length > mostTags) {
        report(context, { code: 'too_many_tags', message: `At most ${mostTags} tags are allowed.` })
        return
      }
      for (const [name, value] of entries) {
        if (tagText.test(name) && tagText.test(value)) continue
        const message = 'Name and value of a tag must be 1 to 256 letters, digits, "_" or "-".'
        report(context, { path: [name], code: 'invalid_tag', message })
      }
    })
    .meta({ example: { team: 'billing' } }),
)

const mostMetadata = 20
const metadataBytes = 10 * 1_024

export const Metadata = z
  .record(z.string(), z.string())
  .superRefine((metadata, context) => {
    const entries = Object.entries(metadata)
    if (entries.length > mostMetadata) {
      report(context, { code: 'too_many_metadata', message: `At most ${mostMetadata} keys are allowed in metadata.` })
    }
    const bytes = entries.reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0)
    if (bytes > metadataBytes) {
      report(context, {
        code: 'metadata_too_large',
        message: 'Names and values of metadata may have at most 10 KiB together.',
      })
    }
  })
  .meta({ example: { order_id: '4711' } })

/** Most custom header fields of a message. */
export const mostHeaders = 30

export const CustomHeaders = z
  .record(z.string(), z.string())
  .superRefine((headers, context) => {
    const entries = Object.entries(headers)
    if (entries.length > mostHeaders) {
      report(context, { code: 'too_many_headers', message: `At most ${mostHeaders} custom headers are allowed.` })
      return
    }
    const seen = new Set<string>()
    for (const [name, value] of entries) {
      const problem = checkHeader(name, value)
      if (problem) report(context, { path: [name], ...problem })
      else if (seen.has(name.toLowerCase())) {
        report(context, { path: [name], code: 'duplicate_header', message: 'This header is given twice.' })
      }
      seen.add(name.toLowerCase())
    }
  })
  .meta({ example: { 'X-Campaign': 'spring' } })
