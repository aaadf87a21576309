import { rateLimitClient } from '@postrider/domain/network.ts'
import { type ByteBudget, type ByteShare, takeInTime } from '@postrider/kit/byteBudget.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Context } from '../deps.ts'
import type { Memory } from '../memory.ts'

/** Where a body takes its memory: the budget of short bodies of this route, and whose share it counts against. */
export type BodyMemory = Pick<Memory, 'long' | 'waitMs'> & { short: ByteBudget; ownerOf(context: Context): string }

/** Memory of the bodies of requests without a key, of any length: a share per client address of a budget of their own. */
export const openBodies = ({ open, waitMs }: Memory): BodyMemory => ({
  long: open,
  short: open,
  waitMs,
  ownerOf: ({ state }) => rateLimitClient(state.clientAddress),
})

/** One request's part of the budgets. Disposing returns it and ends the waiting. */
export type Room = Disposable & {
  /** Takes the next bytes of a short body. @returns false: they are not free */
  tryTake(bytes: number): boolean
  /** @returns false: they were not free in time */
  take(bytes: number): Promise<boolean>
  /** Takes the bytes of a whole long body in exchange for what it has. @returns false: they were not free in time */
  takeLong(bytes: number): Promise<boolean>
}

/** Returns the room of one request, which counts against the share of `owner`. */
export const roomFor = ({ long, short, waitMs }: BodyMemory, owner: string): Room => {
  // Most requests never wait, so the controller is made by the first that does.
  let waiting: AbortController | null = null
  let shares: ByteShare[] = []
  let isOver = false
  const add = (share: ByteShare | null): boolean => {
    if (!share) return false
    // A share may be granted in the same turn in which the client disconnects: its promise settles after that.
    if (isOver) share[Symbol.dispose]()
    else shares.push(share)
    return !isOver
  }
  const release = (): void => {
    for (const share of shares) share[Symbol.dispose]()
    shares = []
  }
  const wait = async (budget: ByteBudget, bytes: number): Promise<boolean> => {
    waiting ??= new AbortController()
    return add(await takeInTime(budget, { owner, bytes, waitMs, signal: waiting.signal }))
  }
  return {
    tryTake: (bytes) => add(short.tryTake(owner, bytes)),
    take: (bytes) => wait(short, bytes),
    takeLong: async (bytes) => {
      release()
      return wait(long, bytes)
    },
    [Symbol.dispose]: () => {
      isOver = true
      waiting?.abort()
      release()
    },
  }
}

/** Returns the refusal of a body for which no memory is free. */
export const noRoom = (isLong: boolean): Fault => {
  const what = isLong ? 'long messages' : 'requests'
  const detail = `Too many ${what} are in progress; this one was not accepted. Try again in a second.`
  return new Fault('unavailable', detail, { retryAfterMs: 1_000, expected: true })
}
