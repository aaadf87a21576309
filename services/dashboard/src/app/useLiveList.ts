import { type InfiniteData, replaceEqualDeep, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'

/** A page of a list of the API, newest first. */
export type ListPage<Item> = { data: Item[]; has_more: boolean; next_cursor: string | null }

/** Reads one page. `cursor` null: the first one. */
export type ReadPage<Item> = (page: { cursor: string | null; signal: AbortSignal }) => Promise<ListPage<Item>>

/** Interval of reads of the first page of a list whose changes cause no events. */
const followMs = 3_000
/** Interval of reads of the first page in addition to reads caused by events, for missed events. */
export const fallbackMs = 15_000

/**
 * Maximum number of entries that stay loaded while new ones arrive at the beginning of the list, which may be open for
 * days.
 */
const maxFollowed = 500

/**
 * A list of the API, newest first, that follows what happens. Entries change in place. New ones are shown immediately
 * while the list is at its beginning and not in use; else they wait as `unseen`, so that no row moves under the
 * pointer.
 * @param key of the query, which contains the filters
 * @param timeOf when an entry was made, as text
 */
export const useLiveList = <Item extends { id: string }>({
  key,
  read,
  timeOf,
  everyMs = () => followMs,
}: {
  key: readonly unknown[]
  read: ReadPage<Item>
  timeOf: (item: Item) => string
  /** Milliseconds between two reads of the first page, by what it has. */
  everyMs?: (newest: readonly Item[]) => number
}) => {
  const queries = useQueryClient()
  const pages = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read({ cursor: pageParam, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : null),
    staleTime: Number.POSITIVE_INFINITY,
    // It compares entries by index, and copies all of them when new ones move them.
    structuralSharing: false,
  })
  const newest = useQuery({
    queryKey: [...key, 'newest'],
    queryFn: ({ signal }) => read({ cursor: null, signal }),
    refetchInterval: ({ state }) => everyMs(state.data?.data ?? []),
    staleTime: 0,
    gcTime: 0,
    enabled: pages.isSuccess,
  })

  const stored = useMemo(() => pages.data?.pages.flatMap((page) => page.data) ?? [], [pages.data])
  const fresh = newest.data?.data
  const items = useMemo(() => withCurrent(stored, fresh ?? []), [stored, fresh])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `timeOf` is made with each rendering
  const unseen = useMemo(() => newerThan(fresh ?? [], stored, timeOf), [fresh, stored])

  const showUnseen = (): void => {
    const isGap = stored.length > 0 && unseen.length === fresh?.length
    // At the beginning the older entries are out of sight. They are read again when the list is scrolled.
    const isLong = isAtBeginning() && stored.length + unseen.length > maxFollowed
    const begin: Pages<Item> | undefined = newest.data && { pages: [newest.data], pageParams: [null] }
    queries.setQueryData<Pages<Item>>(key, (data) => (isGap || isLong ? begin : withNewest(data, unseen)))
  }
  const showRef = useRef(showUnseen)
  showRef.current = showUnseen
  useEffect(() => {
    if (unseen.length > 0 && isIdle()) showRef.current()
  }, [unseen.length])

  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages
  const readMore = (): void => {
    if (hasNextPage && !isFetchingNextPage) fetchNextPage()
  }
  return {
    items,
    unseen: unseen.length,
    showUnseen,
    error: pages.error,
    isReading: pages.isPending || isFetchingNextPage,
    hasMore: hasNextPage,
    readMore,
    endRef: useSeen(readMore),
    retry: () => pages.refetch(),
  }
}

export type LiveList<Item extends { id: string }> = ReturnType<typeof useLiveList<Item>>

type Pages<Item> = InfiniteData<ListPage<Item>, string | null>

/** Returns the ref of an element; `onSeen` is called when it comes near the visible part of the page. */
const useSeen = (onSeen: () => void) => {
  const latest = useRef(onSeen)
  latest.current = onSeen
  const observer = useRef<IntersectionObserver | null>(null)
  return (element: HTMLElement | null): void => {
    observer.current?.disconnect()
    if (element === null) return
    const onChange = (entries: IntersectionObserverEntry[]): void => {
      if (entries.some((entry) => entry.isIntersecting)) latest.current()
    }
    observer.current = new IntersectionObserver(onChange, { rootMargin: '400px' })
    observer.current.observe(element)
  }
}

/**
 * Returns the entries as they are now, as far as the newest page has them. An unchanged entry stays the same object.
 */
const withCurrent = <Item extends { id: string }>(stored: readonly Item[], fresh: readonly Item[]): readonly Item[] => {
  const current = new Map(fresh.map((item) => [item.id, item]))
  return stored.map((item) => replaceEqualDeep(item, current.get(item.id) ?? item))
}

/** Returns the entries of the newest page that are not among the shown ones, and not older than the first of them. */
const newerThan = <Item extends { id: string }>(
  fresh: readonly Item[],
  shown: readonly Item[],
  timeOf: (item: Item) => string,
): Item[] => {
  const known = new Set(shown.map((item) => item.id))
  const since = shown[0] ? timeOf(shown[0]) : ''
  return fresh.filter((item) => !known.has(item.id) && timeOf(item) >= since)
}

const withNewest = <Item>(data: Pages<Item> | undefined, added: Item[]): Pages<Item> | undefined => {
  const [first, ...others] = data?.pages ?? []
  if (!data || !first) return data
  return { ...data, pages: [{ ...first, data: [...added, ...first.data] }, ...others] }
}

const isAtBeginning = (): boolean => scrollY < 8

/** Whether rows may move: the page is at its beginning, and neither pointer nor focus is in the list. */
const isIdle = (): boolean =>
  isAtBeginning() && document.querySelector('table:hover, table :focus, [data-rows]:hover, [data-rows] :focus') === null
