import { type UniqueQueue, uniqueQueue } from '@postrider/domain/fairness/fairQueue.ts'

/**
 * Idle connections by client address. A busy process changes it with each request, and a flood of connections takes one from it
 * for each new one, so every operation takes constant time.
 */
export type IdleByAddress<Connection> = {
  /** Adds a connection as the newest of its address. */
  add(address: string, connection: Connection): void
  remove(address: string, connection: Connection): void
  /** Removes and returns the oldest connection of the address that has the most; undefined: there is none. */
  takeOldest(): Connection | undefined
}

export const idleByAddress = <Connection>(): IdleByAddress<Connection> => {
  const queues = new Map<string, UniqueQueue<Connection>>()
  /** The addresses that have a number of connections. */
  const addressesWith = new Map<number, UniqueQueue<string>>()
  let most = 0

  /** Moves an address after one connection more or less. So if no address is left with the most, some have one less. */
  const move = (address: string, from: number, to: number): void => {
    const left = addressesWith.get(from)
    left?.remove(address)
    if (left?.size() === 0) addressesWith.delete(from)
    if (to > 0) {
      const joined = addressesWith.get(to) ?? uniqueQueue<string>()
      joined.add(address)
      addressesWith.set(to, joined)
    }
    if (to > most || !addressesWith.has(most)) most = to
  }

  const onTaken = (address: string, queue: UniqueQueue<Connection>): void => {
    if (queue.size() === 0) queues.delete(address)
    move(address, queue.size() + 1, queue.size())
  }

  return {
    add: (address, connection) => {
      const queue = queues.get(address) ?? uniqueQueue<Connection>()
      if (!queue.add(connection)) return
      queues.set(address, queue)
      move(address, queue.size() - 1, queue.size())
    },
    remove: (address, connection) => {
      const queue = queues.get(address)
      if (queue?.remove(connection)) onTaken(address, queue)
    },
    takeOldest: () => {
      const address = addressesWith.get(most)?.shift()
      const queue = address === undefined ? undefined : queues.get(address)
      const oldest = queue?.shift()
      if (address !== undefined && queue) onTaken(address, queue)
      return oldest
    },
  }
}
