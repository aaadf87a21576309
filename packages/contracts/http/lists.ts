import { z } from 'zod'
import { report } from './closed.ts'

const pageSize = 20

/** Parameters every list takes. */
export const page = {
  limit: z
    .string()
    .optional()
    .transform((text, context) => {
      if (text === undefined) return pageSize
      if (/^([1-9]\d?|100)$/.test(text)) return Number(text)
      report(context, { code: 'invalid_limit', message: 'Must be a whole number from 1 to 100.', input: text })
      return z.NEVER
    })
    .describe('Most records of a page, 1 to 100; default 20.')
    .meta({ type: 'integer', minimum: 1, maximum: 100, default: pageSize }),
  cursor: z
    .string()
    .optional()
    .describe('Where the list goes on: `next_cursor` of the page before, with the same filters. Opaque.'),
}

export const Page = z.object(page)

/** A list, newest first. */
export const listOf = <Item extends z.ZodType>(item: Item, id: string) =>
  z
    .looseObject({
      object: z.literal('list'),
      data: z.array(item).describe('The records, newest first.'),
      has_more: z.boolean().describe('Whether older records follow.'),
      next_cursor: z.string().nullable().describe('What to pass as `cursor` for the next page; null on the last.'),
    })
    .meta({ id })

export const Id = z.object({ id: z.string().describe('The record’s id.') })

/** A time in an answer. */
export const time = () => z.string().meta({ format: 'date-time', example: '2026-11-21T10:00:00.000Z' })
