import { useCallback, useState } from 'react'

/** Which rows of a list are open, by id, and a function that opens or closes one; it stays the same, for rows that are memoized. */
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
