import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { isTyping } from '../../ui/isTyping.ts'
import type { Screen } from '../navigation.ts'

/** Maximum time between G and the key of a screen. */
const chordMs = 1_500

/** Opens the palette with ⌘K or Ctrl K, and screens with G and their key. */
export const useShortcuts = ({
  openPalette,
  screens,
}: {
  openPalette: () => void
  screens: readonly Screen[]
}): void => {
  const navigate = useNavigate()
  const startedAt = useRef(0)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const key = event.key.toLowerCase()
      if ((event.metaKey || event.ctrlKey) && key === 'k') {
        event.preventDefault()
        openPalette()
        return
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event)) return
      if (document.querySelector('[data-modal], [role="menu"]') !== null) return
      const screen = performance.now() - startedAt.current < chordMs && screens.find((known) => known.key === key)
      startedAt.current = key === 'g' ? performance.now() : 0
      if (!screen) return
      event.preventDefault()
      navigate({ to: screen.to })
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
}
