import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Shows a record as the response to its change has it. A read that began before would show its former state until the
 * next read.
 */
export const showStored = <Data>(queries: QueryClient, queryKey: QueryKey, data: Data): void => {
  queries.cancelQueries({ queryKey, exact: true })
  queries.setQueryData(queryKey, data)
}
