import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { emailPages, newestEmails } from '../../api/emails.ts'
import type { Email, EmailFilters, Mode } from '../../api/types.ts'

/** Pages that are read in a row to find emails of the mode. */
const fewestRows = 20

/**
 * The emails of a filter. Statuses change in place. New emails are shown at once while the list is at its beginning and not in
 * use; else they wait as `unseen`, so that no row moves under the pointer.
 */
export const useEmailList = (filters: EmailFilters, mode: Mode) => {
  const api = useApi()
  const queries = useQueryClient()
  const options = emailPages(api, filters)
  const pages = useInfiniteQuery(options)
  const newest = useQuery({ ...newestEmails(api, filters), enabled: pages.isSuccess })

  const stored = useMemo(() => pages.data?.pages.flatMap((page) => page.data) ?? [], [pages.data])
  const fresh = newest.data?.data
  const current = useMemo(() => new Map(fresh?.map((email) => [email.id, email])), [fresh])
  const emails = useMemo(
    () => stored.map((email) => current.get(email.id) ?? email).filter((email) => email.mode === mode),
    [stored, current, mode],
  )
  const unseen = useMemo(() => newerThan(fresh ?? [], stored).filter((email) => email.mode === mode), [fresh, stored, mode])

  const showUnseen = (): void => {
    if (!newest.data) return
    const known = new Set(stored.map((email) => email.id))
    const isGap = stored.length > 0 && !newest.data.data.some((email) => known.has(email.id))
    if (isGap) {
      queries.resetQueries({ queryKey: options.queryKey })
      return
    }
    const added = newest.data.data.filter((email) => !known.has(email.id))
    queries.setQueryData(options.queryKey, (data) => withNewest(data, added))
  }

  const showRef = useRef(showUnseen)
  showRef.current = showUnseen
  useEffect(() => {
    if (unseen.length > 0 && isIdle()) showRef.current()
  }, [unseen.length])

  const hasMore = pages.hasNextPage
  const readMore = (): void => {
    if (hasMore && !pages.isFetchingNextPage) pages.fetchNextPage()
  }
  const readMoreRef = useRef(readMore)
  readMoreRef.current = readMore
  // The API has no filter by mode, so a page may have few emails of it.
  useEffect(() => {
    if (emails.length < fewestRows && stored.length > 0) readMoreRef.current()
  }, [emails.length, stored.length])

  const observer = useRef<IntersectionObserver | null>(null)
  const endRef = (element: HTMLElement | null): void => {
    observer.current?.disconnect()
    if (element === null) return
    observer.current = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && readMoreRef.current(),
      { rootMargin: '400px' },
    )
    observer.current.observe(element)
  }

  return {
    emails,
    unseen: unseen.length,
    showUnseen,
    error: pages.error,
    isReading: pages.isPending || pages.isFetchingNextPage,
    hasMore,
    readMore,
    endRef,
    retry: () => pages.refetch(),
  }
}

/** Returns the emails of a first page that are newer than all that are shown. */
const newerThan = (fresh: readonly Email[], shown: readonly Email[]): readonly Email[] => {
  const first = shown[0]
  if (!first) return fresh
  const at = fresh.findIndex((email) => email.id === first.id)
  return at === -1 ? fresh.filter((email) => email.created_at >= first.created_at) : fresh.slice(0, at)
}

type Pages = InfiniteData<{ data: Email[] }, string | null>

const withNewest = <Data extends Pages>(data: Data | undefined, added: Email[]): Data | undefined => {
  const [first, ...others] = data?.pages ?? []
  if (!data || !first) return data
  return { ...data, pages: [{ ...first, data: [...added, ...first.data] }, ...others] }
}

/** Whether rows may move: the page is at its beginning, and neither pointer nor focus is in the table. */
const isIdle = (): boolean => scrollY < 8 && document.querySelector('table:hover, table :focus') === null
