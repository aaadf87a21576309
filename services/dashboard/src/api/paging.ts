/** The position of a page of a list. @param cursor null: the first one */
export const pageAt = (cursor: string | null, limit: number) => ({ limit, ...(cursor !== null && { cursor }) })

/** Paging of a list of the API, for `infiniteQueryOptions`. */
export const paging = {
  initialPageParam: null as string | null,
  getNextPageParam: (page: { has_more: boolean; next_cursor: string | null }) =>
    page.has_more ? page.next_cursor : null,
} as const
