import { checkHeader } from '@postrider/mail/headers.ts'
import { z } from 'zod'
import { bounded, boundedRecord, isObject, report } from './schema.ts'

const maxTags = 10
const tagText = /^[A-Za-z0-9_-]{1,256}$/

const tooManyTags = { code: 'too_many_tags', message: `At most ${maxTags} tags are allowed.` }
const [boundedTags, tagRecord] = boundedRecord(maxTags, tooManyTags)
const boundedPairs = bounded('array', maxTags, tooManyTags)

/** Reads Resend's `[{ name, value }]` as an object of names and values. */
const fromPairs = (given: unknown, context: z.RefinementCtx): unknown => {
  if (!Array.isArray(given)) return boundedTags(given, context)
  const raw = boundedPairs(given, context)
  if (!Array.isArray(raw)) return raw
  const tags: Record<string, unknown> = {}
  for (const [index, pair] of raw.entries()) {
    const { name, value } = isObject(pair) ? pair : {}
    if (typeof name !== 'string' || typeof value !== 'string' || Object.keys(pair).length > 2) {
      report(context, { path: [index], code: 'wrong_type', message: 'Must be { "name": string, "value": string }.' })
    } else if (Object.hasOwn(tags, name)) {
      report(context, {
        path: [index],
        code: 'duplicate_tag',
        message: 'Another tag has this name; use each name once.',
      })
    } else tags[name] = value
  }
  return tags
}

export const Tags = z.preprocess(
  fromPairs,
  tagRecord
    .superRefine((tags, context) => {
      for (const [name, value] of Object.entries(tags)) {
        if (tagText.test(name) && tagText.test(value)) continue
        const message = 'Name and value of a tag must be 1 to 256 letters, digits, "_" or "-".'
        report(context, { path: [name], code: 'invalid_tag', message })
      }
    })
    .meta({ example: { team: 'billing' } }),
)

const maxMetadata = 20
const metadataBytes = 10 * 1_024

const [boundedMetadata, metadataRecord] = boundedRecord(maxMetadata, {
  code: 'too_many_metadata',
  message: `At most ${maxMetadata} keys are allowed in metadata.`,
})

export const Metadata = z.preprocess(
  boundedMetadata,
  metadataRecord
    .superRefine((metadata, context) => {
      const bytes = Object.entries(metadata).reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0)
      if (bytes > metadataBytes) {
        report(context, {
          code: 'metadata_too_large',
          message: 'Names and values of metadata may have at most 10 KiB together.',
        })
      }
    })
    .meta({ example: { order_id: '4711' } }),
)

/** Maximum number of custom header fields of a message. */
export const maxHeaders = 30

const [boundedHeaders, headerRecord] = boundedRecord(maxHeaders, {
  code: 'too_many_headers',
  message: `At most ${maxHeaders} custom headers are allowed.`,
})

export const CustomHeaders = z.preprocess(
  boundedHeaders,
  headerRecord
    .superRefine((headers, context) => {
      const seen = new Set<string>()
      for (const [name, value] of Object.entries(headers)) {
        const problem = checkHeader(name, value)
        if (problem) report(context, { path: [name], ...problem })
        else if (seen.has(name.toLowerCase())) {
          report(context, {
            path: [name],
            code: 'duplicate_header',
            message: 'This header is given twice (case is ignored); send it once.',
          })
        }
        seen.add(name.toLowerCase())
      }
    })
    .meta({ example: { 'X-Campaign': 'spring' } }),
)
