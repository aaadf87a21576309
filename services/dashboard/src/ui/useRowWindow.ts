import { type FocusEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Lists up to this length are in the document as a whole. */
const fewRows = 100
/** Rows beyond the visible ones on each side, so that a fast scroll and the keys find them. */
const spare = 20

/** Height of a row in pixels before one was measured. The last measured one is used for the next list. */
let usualHeight = 42

/** A part of a list, `to` excluded. */
type Part = { from: number; to: number }

/**
 * Returns the rows of a long list that are in the document: those near the visible part of the page, and the one with
 * the focus. The others are replaced by gaps of their height. The rows of a list have the same height.
 * @returns `ref` and `onFocus` for the element whose children are the rows (`data-index`) and gaps, and the rows and
 * gaps in order
 */
export const useRowWindow = <Body extends HTMLElement>(count: number) => {
  const ref = useRef<Body>(null)
  const [height, setHeight] = useState(usualHeight)
  const [near, setNear] = useState<Part>({ from: 0, to: fewRows })
  const [focused, setFocused] = useState<number | null>(null)
  const isLong = count > fewRows

  const update = (): void => {
    const body = ref.current
    if (body === null || !isLong) return
    const measured = averageHeight(body)
    if (measured !== null) usualHeight = measured
    setHeight(usualHeight)
    const above = -body.getBoundingClientRect().top / usualHeight
    const next = {
      from: Math.max(0, Math.floor(above) - spare),
      to: Math.min(count, Math.ceil(above + innerHeight / usualHeight) + spare),
    }
    setNear((shown) => (covers(shown, next, count) ? shown : next))
  }
  const latest = useRef(update)
  latest.current = update
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer or shorter list has another part near
  useLayoutEffect(() => latest.current(), [count])
  useEffect(() => {
    if (!isLong) return undefined
    const onMove = (): void => latest.current()
    addEventListener('scroll', onMove, { passive: true })
    addEventListener('resize', onMove)
    return () => {
      removeEventListener('scroll', onMove)
      removeEventListener('resize', onMove)
    }
  }, [isLong])

  const onFocus = (event: FocusEvent): void => {
    const row = event.target.closest<HTMLElement>('[data-index]')
    setFocused(row ? Number(row.dataset['index']) : null)
  }
  return { ref, onFocus, isLong, pieces: isLong ? piecesOf(near, focused, count, height) : whole(count) }
}

/** A row by its position, or a gap in pixels. */
type Piece = { row: number } | { gap: number; key: string }

const whole = (count: number): Piece[] => Array.from({ length: count }, (_, row) => ({ row }))

const piecesOf = ({ from, to }: Part, focused: number | null, count: number, height: number): Piece[] => {
  const rows = Array.from({ length: Math.max(0, Math.min(to, count) - from) }, (_, at) => from + at)
  if (focused !== null && focused < from) rows.unshift(focused)
  if (focused !== null && focused >= to && focused < count) rows.push(focused)
  let next = 0
  const pieces: Piece[] = []
  for (const row of [...rows, count]) {
    if (row > next) pieces.push({ gap: (row - next) * height, key: `gap before ${row === count ? 'the end' : row}` })
    if (row < count) pieces.push({ row })
    next = row + 1
  }
  return pieces
}

/**
 * Whether a part still reaches half of the spare rows beyond the visible ones, so that not each step of a scroll
 * renders.
 */
const covers = (shown: Part, wanted: Part, count: number): boolean =>
  shown.from <= wanted.from + (wanted.from === 0 ? 0 : spare / 2) &&
  shown.to >= Math.min(count, wanted.to - (wanted.to === count ? 0 : spare / 2)) &&
  shown.to - shown.from <= wanted.to - wanted.from + 2 * spare

const averageHeight = (body: HTMLElement): number | null => {
  const rows = body.querySelectorAll<HTMLElement>(':scope > [data-index]')
  if (rows.length === 0) return null
  let sum = 0
  for (const row of rows) sum += row.getBoundingClientRect().height
  // To hundredths, so that the order of the sum changes nothing.
  return Math.round((100 * sum) / rows.length) / 100
}
