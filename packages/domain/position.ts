/** A position in a list that is ordered by time, then by id. */
export type Position = { at: number; id: string }

/** Returns a position as cursors and messages contain it. */
export const positionText = ({ at, id }: Position): string => `${at}.${id}`

/** Reads a position; null: the text is not a position. */
export const parsePosition = (text: string): Position | null => {
  const dot = text.indexOf('.')
  const at = Number(text.slice(0, dot))
  return dot < 1 || !Number.isFinite(at) ? null : { at, id: text.slice(dot + 1) }
}
