import { freeBytes } from '@postrider/kit/bytes.ts'
import { shortBodyBytes } from './memory.ts'
import { partList } from './partList.ts'

/** Sizes of the blocks that the parts of a long body are copied to. */
const [minBlockBytes, maxBlockBytes] = [128 * 1_024, 2 ** 20]

/**
 * Gathers the parts of a body. Those of a long one are copied to blocks as they arrive, and are gone then. A client may
 * announce much and send little, so the blocks grow with what has arrived. They are joined in turns: 10 MiB in one step
 * would block other requests for milliseconds.
 */
export const gatherParts = (announced: number) => {
  const parts = partList()
  let blocks: Buffer[] = []
  let [size, copied, filled] = [0, 0, 0]

  const openBlock = (): Buffer => {
    const last = blocks.at(-1)
    if (last !== undefined && filled < last.length) return last
    const grown = Math.max(minBlockBytes, Math.min(copied, maxBlockBytes))
    const block = Buffer.allocUnsafeSlow(announced > copied ? Math.min(grown, announced - copied) : grown)
    blocks.push(block)
    filled = 0
    return block
  }
  const copy = (part: Buffer): void => {
    for (let from = 0; from < part.length; ) {
      const count = part.copy(openBlock(), filled, from)
      filled += count
      from += count
      copied += count
    }
    freeBytes(part)
  }

  return {
    add: (part: Buffer): void => {
      size += part.length
      if (size <= shortBodyBytes) parts.add(part)
      else {
        if (copied === 0) for (const one of parts.take()) copy(one)
        copy(part)
      }
    },
    /** Returns the bytes of the parts in all. */
    size: (): number => size,
    drop: (): void => {
      parts.take()
      blocks = []
    },
    /** Returns the whole body. @param turn resolves in the turn in which more of it is joined */
    join: async (turn?: () => Promise<void>): Promise<Buffer> => {
      const [only] = blocks
      if (only === undefined) return parts.join()
      if (only.length === copied) return only
      const whole = Buffer.allocUnsafeSlow(copied)
      let joined = 0
      for (const block of blocks.splice(0)) {
        joined += block.copy(whole, joined)
        const isLarge = block.length === maxBlockBytes
        freeBytes(block)
        if (isLarge) await turn?.()
      }
      return whole
    },
  }
}
