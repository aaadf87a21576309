/** Bytes of a list response around its records. */
const envelopeBytes = 1_024

/** Maximum number of bytes that the records of one list response have as JSON: with the rest it stays below 4 MiB. */
export const maxPageBytes = 4 * 2 ** 20 - envelopeBytes

/** A page that is filled with records in their order. */
export type PageRoom<Item> = {
  /**
   * Adds a record, unless the page is full. The first always fits, so that a reader advances with every page.
   * @param bytes of the record as JSON; its comma counts too
   * @returns false: the page is full, and does not contain the record
   */
  add(item: Item, bytes: number): boolean
  /** Returns the records so far; `hasMore`: whether one did not fit. */
  page(): { items: Item[]; hasMore: boolean }
}

/** @param limit maximum number of records */
export const pageRoom = <Item>(limit = Number.POSITIVE_INFINITY, maxBytes = maxPageBytes): PageRoom<Item> => {
  const items: Item[] = []
  let used = 0
  let hasMore = false
  return {
    add: (item, bytes) => {
      used += bytes + 1
      hasMore ||= items.length === limit || (items.length > 0 && used > maxBytes)
      if (!hasMore) items.push(item)
      return !hasMore
    },
    page: () => ({ items, hasMore }),
  }
}

/** Returns the first records that fit into a page; `bytesOf` returns the bytes of one as JSON. */
export const firstThatFit = <Item>(
  items: readonly Item[],
  bytesOf: (item: Item) => number,
  maxBytes = maxPageBytes,
): Item[] => {
  const room = pageRoom<Item>(items.length, maxBytes)
  for (const item of items) if (!room.add(item, bytesOf(item))) break
  return room.page().items
}

/** Returns the bytes of a record as JSON in UTF-8. */
export const jsonBytes = (record: unknown): number => Buffer.byteLength(JSON.stringify(record))
