/** Requests of one endpoint at once: at first, at least, and at most. */
export const [firstRoom, leastRoom, mostRoom] = [4, 2, 16] as const

/**
 * Returns how many requests of an endpoint may run after one has ended. A failure halves the number and a success adds one: an
 * endpoint that hangs holds two requests, and no other endpoint waits for it.
 */
export const roomAfter = (room: number, isDelivered: boolean): number =>
  isDelivered ? Math.min(mostRoom, room + 1) : Math.max(leastRoom, Math.floor(room / 2))
