import { fairQueue } from './fairQueue.ts'

/** Origin of an item of work. */
export type WorkOrigin = {
  /** Usually the workspace. */
  owner: string
  /** Whether no client waits for it, as for webhooks, deliveries and removals. */
  isBackground: boolean
}

/** Items of work that wait for their turn. */
export type WorkTurns<Item> = {
  add(origin: WorkOrigin, item: Item): void
  /** Removes and returns the item whose turn it is. */
  next(): Item | undefined
  size(): number
}

const anyOwner = (): boolean => true

/**
 * Work of two kinds: of requests, and in the background. The turns of each kind go round-robin across its owners. While
 * both wait, background work has a turn for each of its owners in a round of the owners with requests, at most every
 * second turn. So a request waits for one item of background work in each of its turns, even if workspaces have
 * hundreds, and no owner waits longer than twice a round of all owners.
 */
export const workTurns = <Item>(): WorkTurns<Item> => {
  const [requests, background] = [fairQueue<Item>(), fairQueue<Item>()]
  /** Turns that background work has not had yet. From 1 on, it has the next turn. */
  let owed = 0
  const isBackgroundNext = (): boolean => background.size() > 0 && (requests.size() === 0 || owed >= 1)
  return {
    add: ({ owner, isBackground }, item) => void (isBackground ? background : requests).add(owner, item),
    next: () => {
      if (isBackgroundNext()) {
        owed = Math.max(0, owed - 1)
        return background.next(anyOwner)?.item
      }
      owed = background.size() === 0 ? 0 : owed + Math.min(1, background.owners() / requests.owners())
      return requests.next(anyOwner)?.item
    },
    size: () => requests.size() + background.size(),
  }
}
