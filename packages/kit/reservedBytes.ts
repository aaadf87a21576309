import {
  type EndableShare,
  isOverOwnLimit,
  mayTakeBytes,
  type WantedBytes,
} from '@postrider/domain/fairness/fairBytes.ts'

/** Reason why a share is ended: its client is slow, or its owner reserves more than its equal part. */
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

/** Bytes that a share of a budget reserves. */
export type ByteReservation = {
  owner: string
  bytes: number
  endable: Endable | null
  isEnding: boolean
}

/** A share that others may end. */
export type EndableReservation = EndableShare & { end(reason: EndReason): void }

export type ReservedBytes = ReturnType<typeof reservedBytes>

/** Counts the bytes that owners reserve of a budget. */
export const reservedBytes = (capacityBytes: number, maxBytesPerOwner: number) => {
  const owners = new Map<string, { bytes: number; reservations: Set<ByteReservation> }>()
  let [free, ending] = [capacityBytes, 0]
  const of = (owner: string): number => owners.get(owner)?.bytes ?? 0

  const reserve = (reservation: ByteReservation, change: number): void => {
    const owner = owners.get(reservation.owner) ?? { bytes: 0, reservations: new Set() }
    reservation.bytes += change
    owner.bytes += change
    free -= change
    if (reservation.isEnding) ending += change
    if (reservation.bytes === 0) owner.reservations.delete(reservation)
    else owner.reservations.add(reservation)
    if (owner.reservations.size === 0) owners.delete(reservation.owner)
    else owners.set(reservation.owner, owner)
  }

  const wanted = (reservation: ByteReservation, bytes: number): WantedBytes => {
    const owner = owners.get(reservation.owner)
    if (owner === undefined) return { bytes, reserved: 0, isFirst: true }
    const isFirst =
      owner.reservations.values().next().value === reservation && reservation.endable?.onlyIfSlow === false
    return { bytes, reserved: owner.bytes, isFirst }
  }

  return {
    of,
    reserve,
    /** Whether its owner gets nothing more, however much is free. */
    isOverOwnLimit: (reservation: ByteReservation, bytes: number): boolean =>
      isOverOwnLimit(wanted(reservation, bytes), { maxBytesPerOwner }),
    /** Returns the bytes that each owner reserves. */
    byOwner: () => new Map([...owners].map(([owner, { bytes }]) => [owner, bytes])),
    hasOthers: (owner: string): boolean => owners.size > (owners.has(owner) ? 1 : 0),
    /** Whether the bytes fit and their owner may have them; `withEnding`: when the shares that were ended are free. */
    mayTake: (reservation: ByteReservation, bytes: number, hasOthers: boolean, withEnding = false): boolean => {
      const room = withEnding ? free + ending : free
      return mayTakeBytes(wanted(reservation, bytes), { free: room, maxBytesPerOwner, hasOthers })
    },
    isFree: (bytes: number): boolean => bytes <= free,
    endable: (): EndableReservation[] =>
      [...owners.values()].flatMap(({ reservations }) =>
        [...reservations].flatMap((reservation) => {
          const { owner, bytes, endable, isEnding } = reservation
          if (endable === null || isEnding) return []
          const end = (reason: EndReason): void => {
            if (reservation.isEnding || reservation.bytes === 0) return
            reservation.isEnding = true
            ending += reservation.bytes
            endable.end(reason)
          }
          return [{ owner, bytes, spareMs: endable.spareMs(), onlyIfSlow: endable.onlyIfSlow, end }]
        }),
      ),
  }
}
