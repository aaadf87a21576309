import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { emailPages, newestEmails } from '../../api/emails.ts'
import type { Email, EmailFilters } from '../../api/types.ts'

/**
 * The emails of a filter. Statuses change in place. New emails are shown at once while the list is at its beginning and not in
 * use; else they wait as `unseen`, so that no row moves under the pointer.
 */
export const useEmailList = (filters: EmailFilters) => {
  const api = useApi()
  const queries = useQueryClient()
  const options = emailPages(api, filters)
  const pages = useInfiniteQuery(options)
  const newest = useQuery({ ...newestEmails(api, filters), enabled: pages.isSuccess })

  const stored = useMemo(() => pages.data?.pages.flatMap((page) => page.data) ?? [], [pages.data])
  const fresh = newest.data?.data
  const emails = useMemo(() => withCurrent(stored, fresh ?? []), [stored, fresh])
  const unseen = useMemo(() => newerThan(fresh ?? [], stored), [fresh, stored])

  const showUnseen = (): void => {
    const isGap = stored.length > 0 && unseen.length === fresh?.length
    if (isGap) queries.resetQueries({ queryKey: options.queryKey })
    else queries.setQueryData(options.queryKey, (data) => withNewest(data, unseen))
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
    emails,
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

/** Returns the emails as they are now, as far as the newest page has them. */
const withCurrent = (stored: readonly Email[], fresh: readonly Email[]): readonly Email[] => {
  const current = new Map(fresh.map((email) => [email.id, email]))
  return stored.map((email) => current.get(email.id) ?? email)
}

/** Returns the emails of the newest page that are not among the shown ones, and newer than the first of them. */
const newerThan = (fresh: readonly Email[], shown: readonly Email[]): Email[] => {
  const known = new Set(shown.map((email) => email.id))
  const since = shown[0]?.created_at ?? ''
  return fresh.filter((email) => !known.has(email.id) && email.created_at >= since)
}

const withNewest = <Page extends { data: Email[] }, Cursor>(
  data: InfiniteData<Page, Cursor> | undefined,
  added: Email[],
): InfiniteData<Page, Cursor> | undefined => {
  const [first, ...others] = data?.pages ?? []
  if (!data || !first) return data
  return { ...data, pages: [{ ...first, data: [...added, ...first.data] }, ...others] }
}

/** Whether rows may move: the page is at its beginning, and neither pointer nor focus is in the table. */
const isIdle = (): boolean => scrollY < 8 && document.querySelector('table:hover, table :focus') === null
