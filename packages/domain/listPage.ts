/** Bytes of a list response around its records. */
const envelopeBytes = 1_024

/** Maximum number of bytes that the records of one list response have as JSON: with the rest it stays below 4 MiB. */
export const maxPageBytes = 4 * 2 ** 20 - envelopeBytes

/**
 * Returns a function that reports whether one more record fits into a page. The first always fits, so that a reader
 * advances with every page. A record's comma counts.
 */
export const pageRoom = (maxBytes = maxPageBytes): ((bytes: number) => boolean) => {
  let used = 0
  return (bytes) => {
    const isFirst = used === 0
    used += bytes + 1
    return isFirst || used <= maxBytes
  }
}

/** Returns the first records that fit into a page; `bytesOf` returns the bytes of one as JSON. */
export const firstThatFit = <Item>(
  items: readonly Item[],
  bytesOf: (item: Item) => number,
  maxBytes = maxPageBytes,
): Item[] => {
  const fits = pageRoom(maxBytes)
  const end = items.findIndex((item) => !fits(bytesOf(item)))
  return end === -1 ? [...items] : items.slice(0, end)
}

/** Returns the bytes of a record as JSON in UTF-8. */
export const jsonBytes = (record: unknown): number => Buffer.byteLength(JSON.stringify(record))
