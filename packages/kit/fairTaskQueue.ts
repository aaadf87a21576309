/** Origin of a task: the tasks of one client wait for each other, and those of a network share its turns. */
export type Origin = { network: string; client: string }

/**
 * Runs tasks, a few at a time. Waiting ones start round-robin across networks, and within a network round-robin across clients.
 * So a flood delays another network's task by one task for each network that waits.
 */
export type FairTaskQueue = {
  /** @returns the task's result. @throws `onFull()`, if no waiting slot is free, or the wait was too long */
  run<T>(origin: Origin, task: () => Promise<T>): Promise<T>
}

export type FairTaskQueueOptions = {
  maxRunning: number
  maxWaiting: number
  maxWaitingPerClient: number
  /** A task that waited longer does not start, because its caller no longer waits. Default: no limit */
  maxWaitMs?: number
  /** Monotonic time in milliseconds. */
  elapsed?: () => number
  /** Returns the error of a task that may not wait, or that lost its waiting slot. */
  onFull(): Error
}

type Waiter = { since: number; start(): void; drop(): void }
/**
 * The tasks of each client, oldest first. `fairQueue` and `evictionQueue` of packages/domain/fairness do not fit: they have one level of
 * owners and give up only their oldest items. Here the oldest task of a client is the next to start, so the newest is dropped.
 */
type Clients = Map<string, Waiter[]>

const lengthOf = (clients: Clients = new Map()): number => [...clients.values()].flat().length

/** Returns the largest value, the first of several; null: there is none. */
const largest = <Value>(values: readonly Value[], size: (value: Value) => number): Value | null =>
  values.reduce<Value | null>((found, value) => (found && size(found) >= size(value) ? found : value), null)

/** Removes the first entry and adds it again at the end: it has had its turn. */
const rotate = <Value>(entries: Map<string, Value>, name: string, value: Value, isEmpty: boolean): void => {
  entries.delete(name)
  if (!isEmpty) entries.set(name, value)
}

/**
 * Drops the newest task of the client that has the most, in the network that has the most, so that a flood cannot hold
 * all slots. @returns false: no client has more than this client would have
 */
const dropNewest = (networks: ReadonlyMap<string, Clients>, { network, client }: Origin): boolean => {
  const own = networks.get(network)
  const busiest = largest([...networks.values()], lengthOf)
  const chosen = busiest && lengthOf(busiest) > lengthOf(own) + 1 ? busiest : own
  const waiters = largest([...(chosen?.values() ?? [])], ({ length }) => length)
  if (!waiters || (chosen === own && waiters.length <= (own?.get(client)?.length ?? 0) + 1)) return false
  waiters.pop()?.drop()
  for (const [name, { length }] of chosen ?? []) if (length === 0) chosen?.delete(name)
  return true
}

export const fairTaskQueue = ({
  maxRunning,
  maxWaiting,
  maxWaitingPerClient,
  maxWaitMs = Number.POSITIVE_INFINITY,
  elapsed = () => performance.now(),
  onFull,
}: FairTaskQueueOptions): FairTaskQueue => {
  /** Networks in the order of their next turns. Only networks and clients with waiting tasks are in the maps. */
  const networks = new Map<string, Clients>()
  let [running, waiting] = [0, 0]

  const freeSlot = (origin: Origin): boolean => {
    const isDropped = dropNewest(networks, origin)
    if (isDropped) waiting -= 1
    return isDropped
  }

  const enter = (origin: Origin): Promise<void> => {
    const { network, client } = origin
    if (running < maxRunning) {
      running += 1
      return Promise.resolve()
    }
    const isOverOwn = (networks.get(network)?.get(client)?.length ?? 0) >= maxWaitingPerClient
    if (isOverOwn || (waiting >= maxWaiting && !freeSlot(origin))) return Promise.reject(onFull())
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const clients = networks.get(network) ?? new Map<string, Waiter[]>()
    const waiter = { since: elapsed(), start: resolve, drop: () => reject(onFull()) }
    clients.set(client, [...(clients.get(client) ?? []), waiter])
    networks.set(network, clients)
    waiting += 1
    return promise
  }

  /** Drops the tasks that have waited too long. Those of a client wait in their order. */
  const dropLate = (): void => {
    const latest = elapsed() - maxWaitMs
    for (const [network, clients] of networks) {
      for (const [client, waiters] of clients) {
        const late = waiters.splice(0, waiters.filter(({ since }) => since < latest).length)
        for (const { drop } of late) drop()
        waiting -= late.length
        if (waiters.length === 0) clients.delete(client)
      }
      if (clients.size === 0) networks.delete(network)
    }
  }

  const leave = (): void => {
    dropLate()
    const [nextNetwork] = networks
    const [nextClient] = nextNetwork?.[1] ?? []
    const next = nextClient?.[1].shift()
    if (!nextNetwork || !nextClient || !next) {
      running -= 1
      return
    }
    rotate(nextNetwork[1], ...nextClient, nextClient[1].length === 0)
    rotate(networks, ...nextNetwork, nextNetwork[1].size === 0)
    waiting -= 1
    next.start()
  }

  return {
    run: async (origin, task) => {
      await enter(origin)
      try {
        return await task()
      } finally {
        leave()
      }
    },
  }
}
