import { type KeyboardEvent, useEffect, useRef } from 'react'
import { isTyping } from './isTyping.ts'

const steps: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }

/**
 * Moves the focus among the links of rows (`data-row-link`): by the arrow keys inside the table, by j and k from
 * everywhere on the screen.
 */
export const useRowKeys = <Rows extends HTMLElement = HTMLTableElement>() => {
  const ref = useRef<Rows>(null)
  const move = (event: Pick<KeyboardEvent, 'key' | 'preventDefault'>): void => {
    const step = steps[event.key]
    const links = [...(ref.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])]
    if (step === undefined || links.length === 0) return
    const current = links.indexOf(document.activeElement as HTMLElement)
    const next = current === -1 ? (step === 1 ? 0 : links.length - 1) : current + step
    const link = links[Math.min(Math.max(next, 0), links.length - 1)]
    event.preventDefault()
    link?.focus()
    link?.scrollIntoView({ block: 'nearest' })
  }
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
      if (document.querySelector('[data-modal], [role="menu"]') !== null) return
      if (event.key === 'j' || event.key === 'k') move(event)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key.startsWith('Arrow') && !isTyping(event.nativeEvent)) move(event)
  }
  return { ref, onKeyDown }
}
