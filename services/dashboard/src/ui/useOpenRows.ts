import { useCallback, useState } from 'react'

/**
 * Returns the ids of the open rows of a list, and a function that opens or closes a row; it stays the same, for rows
 * that are memoized.
 */
export const useOpenRows = (): [ReadonlySet<string>, (id: string) => void] => {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback((id: string) => {
    setOpened((before) => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }, [])
  return [opened, toggle]
}
