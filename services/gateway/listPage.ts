import type { Cursors } from './cursors.ts'

type Query = { limit: number; cursor?: string | undefined } & Record<string, unknown>

/** Where a page of a list begins, and the cursor that its end gives. Both are bound to the list and its filters. */
export const listPage = (cursors: Cursors, path: string, workspace: string, query: Query) => {
  const { limit, cursor, ...rest } = query
  const filters = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const list = { path, workspace, filters }
  return {
    limit,
    /** The id before which the page begins; empty: at the newest. */
    before: cursor === undefined ? '' : cursors.open(list, cursor),
    nextCursor: (hasMore: boolean, lastId: string | undefined): string | null =>
      hasMore && lastId !== undefined ? cursors.seal(list, lastId) : null,
  }
}

/** A page as every list answers it. */
export const listBody = <Item>(data: Item[], hasMore: boolean, nextCursor: string | null) => ({
  object: 'list' as const,
  data,
  has_more: hasMore,
  next_cursor: nextCursor,
})
