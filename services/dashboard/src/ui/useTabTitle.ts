import { useEffect } from 'react'

/** Sets the title of the browser's tab. */
export const useTabTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Postrider`
  }, [title])
}
