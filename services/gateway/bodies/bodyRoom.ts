import { dueAfter, firstDueAt, maxBodySeconds, minRate, minRateOfBody } from '@postrider/domain/fairness/minRate.ts'
import { rateLimitClient } from '@postrider/domain/network.ts'
import { type ByteBudget, type ByteShare, type EndReason, growInTime } from '@postrider/kit/byteBudget.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Context } from '../deps.ts'
import { type Memory, type MemoryClock, shortBodyBytes } from './memory.ts'

/** Memory that a body uses: the budget of short bodies of this route, and whose share it counts against. */
export type BodyMemory = Pick<Memory, 'long' | 'waitMs' | 'clock' | 'chunks'> & {
  short: ByteBudget
  ownerOf(context: Context): string
  /** How long the whole body may take; absent: as long as a request. */
  maxMs?: number
}

/** How long a body without a key may take. Such bodies are short. */
const openBodyMs = 5_000

/**
 * Memory of the bodies of requests without a key, of any length: a share per client address of a budget of their own.
 */
export const openBodies = ({ open, waitMs, clock, chunks }: Memory, budget: ByteBudget = open): BodyMemory => ({
  long: budget,
  short: budget,
  waitMs,
  clock,
  chunks,
  maxMs: openBodyMs,
  ownerOf: ({ state }) => rateLimitClient(state.clientAddress),
})

/**
 * Measures whether a client sends or reads at the minimum rate. The time in which it waits for this process does not
 * count.
 */
export const clientPace = ({ elapsed }: Pick<MemoryClock, 'elapsed'>, rate = minRate) => {
  let dueAt = firstDueAt(elapsed(), rate)
  let pausedAt: number | null = null
  return {
    /** Counts bytes that the client sent or read. */
    moved: (bytes: number): void => {
      dueAt = dueAfter(dueAt, bytes, elapsed(), rate)
    },
    pause: (): void => {
      pausedAt ??= elapsed()
    },
    resume: (): void => {
      if (pausedAt !== null) dueAt += elapsed() - pausedAt
      pausedAt = null
    },
    /** Returns the milliseconds until the client counts as slow; negative: it does. */
    spareMs: (): number => dueAt - (pausedAt ?? elapsed()),
  }
}

/** One request's part of the budgets. Disposing returns it and ends the waiting. */
export type Room = Disposable & {
  /**
   * Counts bytes that arrived, and reserves `bytes` in all. A long body is read on only when there is room for all of
   * it: if each of many reserved what has arrived, none could be completed.
   * @returns null: it has reserved them; a promise: of whether they became free in time
   */
  reserve(arrived: number, bytes: number): Promise<boolean> | null
  /** Begins and ends a time in which the client waits for this process. */
  pause(): void
  resume(): void
  /**
   * Sets what is called when the request has to end for others that wait; until then, and after `complete`, it is not
   * ended.
   */
  onEnd(listener: (reason: EndReason) => void): void
  /**
   * The whole body has arrived: from now on nothing ends the request.
   * @param bytes that stay reserved until it ends; absent: as many as now
   */
  complete(bytes?: number): void
}

export type RoomForOptions = {
  /** Whose share it counts against. */
  owner: string
  /** Returns the bytes that the request will reserve if its body is long and has at least `bytes`. */
  expectedBytes(bytes: number): number
}

/** Returns the room of one request. */
export const roomFor = (
  { long, short, waitMs, clock }: Omit<BodyMemory, 'ownerOf' | 'chunks'>,
  { owner, expectedBytes }: RoomForOptions,
): Room => {
  let pace = clientPace(clock)
  let endAs: ((reason: EndReason) => void) | null = null
  const endable = { spareMs: () => pace.spareMs(), onlyIfSlow: false, end: (reason: EndReason) => endAs?.(reason) }
  // Most requests never wait, so the controller is made by the first that does.
  let waiting: AbortController | null = null
  let share: ByteShare | null = null
  let [reservedBytes, isLong, isOver, waitedMs] = [0, false, false, 0]

  /**
   * Makes a share larger, in place of the former one if it is another. All waits of a request together have a limit.
   */
  const wait = async (grown: ByteShare, bytes: number, total: number): Promise<boolean> => {
    waiting ??= new AbortController()
    pace.pause()
    const since = clock.elapsed()
    const leftMs = Math.max(0, waitMs - waitedMs)
    const isGranted = await growInTime(grown, { bytes, waitMs: leftMs, signal: waiting.signal })
    waitedMs += clock.elapsed() - since
    pace.resume()
    // A share may be granted in the same iteration in which the client disconnects: its promise settles after that.
    if (!isGranted || isOver) {
      grown[Symbol.dispose]()
      return false
    }
    replaceBy(grown, total)
    return true
  }
  const replaceBy = (grown: ByteShare, total: number): void => {
    if (share !== grown) share?.[Symbol.dispose]()
    share = grown
    reservedBytes = total
    if (total > shortBodyBytes) pace = clientPace(clock, minRateOfBody(total))
  }
  const shareFor = (bytes: number): ByteShare => {
    const becomesLong = bytes > shortBodyBytes && !isLong && long !== short
    if (share !== null && !becomesLong) return share
    isLong ||= becomesLong
    const options = { endable: endAs === null ? null : endable }
    return isLong ? long.open(owner, options) : short.open(owner, options)
  }
  return {
    reserve: (arrived, bytes) => {
      pace.moved(arrived)
      if (bytes <= reservedBytes || isOver) return null
      const total = bytes > shortBodyBytes ? Math.max(bytes, expectedBytes(bytes)) : bytes
      const grown = shareFor(total)
      // What becomes long changes the budget.
      const missing = grown === share ? total - reservedBytes : total
      if (!grown.tryGrow(missing)) return wait(grown, missing, total)
      replaceBy(grown, total)
      return null
    },
    pause: () => pace.pause(),
    resume: () => pace.resume(),
    onEnd: (listener) => {
      endAs = listener
    },
    complete: (bytes = reservedBytes) => {
      endAs = null
      share?.setEndable(null)
      share?.shrinkTo(bytes)
    },
    [Symbol.dispose]: () => {
      isOver = true
      waiting?.abort()
      share?.[Symbol.dispose]()
    },
  }
}

/** Returns the refusal of a body for which no memory is free. */
export const noRoomFault = (isLong: boolean): Fault => {
  const what = isLong ? 'long messages' : 'requests'
  const detail = `Too many ${what} are in progress; try again in a second.`
  return new Fault('unavailable', detail, { retryAfterMs: 1_000, expected: true, accepted: 'no' })
}

/** Returns the refusal of a body whose client sends it too slowly while others wait for memory. */
export const slowFault = (): Fault => {
  const rates = `${minRate.bytesPerSecond / 1_024} KiB per second, or a long body with Content-Length within ${maxBodySeconds} seconds`
  const detail = `The body arrived too slowly while other requests waited; send it at ${rates}, over a faster connection or in smaller parts.`
  return new Fault('request_timeout', detail)
}

/** Returns the refusal of a body that did not arrive in time. */
export const lateFault = (maxMs: number): Fault =>
  new Fault('request_timeout', `The body did not arrive completely within ${maxMs / 1_000} seconds; send it again.`)
