import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/**
 * Returns the ref of the content. When another screen is shown, the focus goes there, so that the next press of Tab
 * leads into the screen and not through the navigation again. A field or dialog that takes the focus by itself keeps
 * it.
 */
export const useContentFocus = () => {
  const shown = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const content = useRef<HTMLElement>(null)
  const last = useRef(shown)
  useEffect(() => {
    const isFirst = last.current === undefined
    if (last.current === shown) return undefined
    last.current = shown
    if (isFirst) return undefined
    // A layer that closes returns the focus to where it was, in a task of its own that began before this one.
    const timer = setTimeout(() => {
      const isTaken =
        content.current?.contains(document.activeElement) || document.querySelector('[data-modal]') !== null
      if (!isTaken) content.current?.focus({ preventScroll: true })
    })
    return () => clearTimeout(timer)
  }, [shown])
  return content
}
