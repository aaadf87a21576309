/** JSON values of a payload. */
export type EventValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly EventValue[]
  | { readonly [name: string]: EventValue }

/** The members of a payload's `data`, named and ordered as the API shows them. */
export type EventData = { readonly [name: string]: EventValue }

/** Maximum number of bytes of the data of an event as JSON; the other members need fewer than 200. */
const maxDataBytes = 19_700

/** A character of JSON has at most 6 bytes: `\u0001`. Texts of so few characters fit without measuring. */
const maxBytesOfChar = 6

type Labels = { readonly [name: string]: string }
type Parts = EventData & { reply: string | null; tags: Labels; metadata: Labels }

const charsOf = (labels: Labels): number =>
  Object.entries(labels).reduce((sum, [name, value]) => sum + name.length + value.length + 6, 0)

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Returns the first labels that fit. */
const labelsWithin = (labels: Labels, room: number): Labels => {
  let left = room
  return Object.fromEntries(
    Object.entries(labels).filter((pair) => {
      left -= bytesOf(pair)
      return left > 0
    }),
  )
}

/**
 * Returns data that fit. Quotes and control characters need more bytes in JSON than the limits of a send count: then
 * labels are left out, those of the metadata first, and `truncated` is true. The email's record has all of them.
 */
export const fitted = (data: Parts): EventData => {
  const chars = charsOf(data.tags) + charsOf(data.metadata) + (data.reply?.length ?? 0) + 1_500
  if (chars * maxBytesOfChar <= maxDataBytes || bytesOf(data) <= maxDataBytes) return data
  const bare = {
    ...data,
    reply: data.reply?.slice(0, 200).toWellFormed() ?? null,
    tags: {},
    metadata: {},
    truncated: true,
  }
  const tags = labelsWithin(data.tags, maxDataBytes - bytesOf(bare))
  const metadata = labelsWithin(data.metadata, maxDataBytes - bytesOf({ ...bare, tags }))
  return { ...bare, tags, metadata }
}
