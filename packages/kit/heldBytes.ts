import {
  type EndableShare,
  isOverOwnLimit,
  mayTakeBytes,
  type WantedBytes,
} from '@postrider/domain/fairness/fairBytes.ts'

/** Reason why a share is ended: its client is slow, or its owner holds more than its equal part. */
export type EndReason = 'slow' | 'part'

/** Work of a client that others may end while they wait for memory. */
export type Endable = {
  /** Returns the milliseconds until the client counts as slow; negative: it does. */
  spareMs(): number
  /** Whether it is ended only if the client is slow. */
  onlyIfSlow: boolean
  /** Ends it. Its share is disposed soon. */
  end(reason: EndReason): void
}

/** Bytes that a share of a budget holds. */
export type Holding = {
  owner: string
  bytes: number
  endable: Endable | null
  isEnding: boolean
}

/** A share that others may end. */
export type EndableHolding = EndableShare & { end(reason: EndReason): void }

export type HeldBytes = ReturnType<typeof heldBytes>

/** Counts the bytes that owners hold of a budget. */
export const heldBytes = (capacityBytes: number, maxBytesPerOwner: number) => {
  const owners = new Map<string, { bytes: number; holdings: Set<Holding> }>()
  let [free, ending] = [capacityBytes, 0]
  const of = (owner: string): number => owners.get(owner)?.bytes ?? 0

  const hold = (holding: Holding, change: number): void => {
    const owner = owners.get(holding.owner) ?? { bytes: 0, holdings: new Set() }
    holding.bytes += change
    owner.bytes += change
    free -= change
    if (holding.isEnding) ending += change
    if (holding.bytes === 0) owner.holdings.delete(holding)
    else owner.holdings.add(holding)
    if (owner.holdings.size === 0) owners.delete(holding.owner)
    else owners.set(holding.owner, owner)
  }

  const wanted = (holding: Holding, bytes: number): WantedBytes => {
    const owner = owners.get(holding.owner)
    if (owner === undefined) return { bytes, held: 0, isFirst: true }
    const isFirst = owner.holdings.values().next().value === holding && holding.endable?.onlyIfSlow === false
    return { bytes, held: owner.bytes, isFirst }
  }

  return {
    of,
    hold,
    /** Whether its owner gets nothing more, however much is free. */
    isOverOwnLimit: (holding: Holding, bytes: number): boolean =>
      isOverOwnLimit(wanted(holding, bytes), { maxBytesPerOwner }),
    /** Returns the bytes that each owner holds. */
    byOwner: () => new Map([...owners].map(([owner, { bytes }]) => [owner, bytes])),
    hasOthers: (owner: string): boolean => owners.size > (owners.has(owner) ? 1 : 0),
    /** Whether the bytes fit and their owner may have them; `withEnding`: when the shares that were ended are free. */
    mayTake: (holding: Holding, bytes: number, hasOthers: boolean, withEnding = false): boolean => {
      const room = withEnding ? free + ending : free
      return bytes <= room && mayTakeBytes(wanted(holding, bytes), { free: room, maxBytesPerOwner, hasOthers })
    },
    isFree: (bytes: number): boolean => bytes <= free,
    endable: (): EndableHolding[] =>
      [...owners.values()].flatMap(({ holdings }) =>
        [...holdings].flatMap((holding) => {
          const { owner, bytes, endable, isEnding } = holding
          if (endable === null || isEnding) return []
          const end = (reason: EndReason): void => {
            if (holding.isEnding || holding.bytes === 0) return
            holding.isEnding = true
            ending += holding.bytes
            endable.end(reason)
          }
          return [{ owner, bytes, spareMs: endable.spareMs(), onlyIfSlow: endable.onlyIfSlow, end }]
        }),
      ),
  }
}
