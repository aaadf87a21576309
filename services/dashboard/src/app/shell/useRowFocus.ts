import { type RefObject, useEffect } from 'react'

/** A row that had the focus, with its list and index. */
type RowPosition = { row: Element; list: Element; position: number }

const rowPositionOf = (content: HTMLElement, target: EventTarget | null): RowPosition | null => {
  const row = target instanceof Element && content.contains(target) ? target.closest('tr, li') : null
  const list = row?.parentElement
  return row && list ? { row, list, position: [...list.children].indexOf(row) } : null
}

const focusable = '[data-row-link], a[href], button:enabled'

/**
 * Returns what gets the focus after a row was removed: the row that is now at its index, else the row before it, else
 * the heading.
 */
const successorOf = (content: HTMLElement, { list, position }: RowPosition): HTMLElement | null => {
  const rows = list.isConnected ? [...list.children] : []
  for (const row of [...rows.slice(position), ...rows.slice(0, position).reverse()]) {
    const found = row.querySelector<HTMLElement>('[data-row-link]') ?? row.querySelector<HTMLElement>(focusable)
    if (found) return found
  }
  const heading = content.querySelector<HTMLElement>('h1')
  heading?.setAttribute('tabindex', '-1')
  return heading
}

/**
 * Keeps the focus in a list whose row vanishes after an action of that row: it moves to the next row, or to the heading
 * of the screen when none is left. Without it the focus would fall to the page, and the next press of Tab would begin
 * at its top.
 */
export const useRowFocus = (ref: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const content = ref.current
    if (content === null) return undefined
    let focused: RowPosition | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    const onFocus = (event: FocusEvent): void => {
      // A dialog or menu of the row is outside the content.
      if (event.target instanceof Element && content.contains(event.target))
        focused = rowPositionOf(content, event.target)
    }
    const onPress = (event: PointerEvent): void => {
      // A press in a dialog or menu of the row does not change the remembered row.
      if (event.target instanceof Element && content.contains(event.target))
        focused = rowPositionOf(content, event.target)
    }
    const check = (): void => {
      if (focused === null || focused.row.isConnected || document.querySelector('[data-modal]') !== null) return
      const gone = focused
      focused = null
      const isLost = document.activeElement === null || document.activeElement === document.body
      if (isLost) successorOf(content, gone)?.focus({ preventScroll: true })
    }
    // A layer that closes returns the focus in a task of its own that began before this one.
    const changes = new MutationObserver(() => {
      if (focused === null || focused.row.isConnected) return
      clearTimeout(timer)
      timer = setTimeout(check)
    })
    changes.observe(content, { childList: true, subtree: true })
    // Dialogs are children of the body.
    changes.observe(document.body, { childList: true })
    content.addEventListener('focusin', onFocus)
    document.addEventListener('pointerdown', onPress)
    return () => {
      clearTimeout(timer)
      changes.disconnect()
      content.removeEventListener('focusin', onFocus)
      document.removeEventListener('pointerdown', onPress)
    }
  }, [ref])
}
