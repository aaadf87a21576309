import { joinBytes } from '@postrider/kit/bytes.ts'

/** Gathers the parts of a body as they arrive. */
export type PartList = {
  add(part: Buffer): void
  /** Removes and returns all parts. */
  take(): Buffer[]
  /** Removes all parts, and returns their bytes as one. */
  join(): Buffer
}

/** The first parts are not copied: most bodies have one part. */
const maxFirst = 16
/** Further parts that are shorter than `shortPart` are copied to pages of this size. */
const [pageBytes, shortPart] = [8_192, 4_096]

/**
 * Makes a list of parts. A client may send each byte of 15 MiB as a separate part (RFC 9112 §7.1), and the object of a
 * part alone has 100 bytes, so short parts are joined.
 */
export const partList = (): PartList => {
  let parts: Buffer[] = []
  let page: Buffer | null = null
  let filled = 0
  const endPage = (): void => {
    if (page !== null) parts.push(page.subarray(0, filled))
    page = null
    filled = 0
  }
  const take = (): Buffer[] => {
    endPage()
    const all = parts
    parts = []
    return all
  }
  return {
    add: (part) => {
      if (parts.length < maxFirst || part.length >= shortPart) {
        endPage()
        parts.push(part)
        return
      }
      if (filled + part.length > pageBytes) endPage()
      page ??= Buffer.allocUnsafeSlow(pageBytes)
      filled += part.copy(page, filled)
    },
    take,
    join: () => joinBytes(take()),
  }
}
