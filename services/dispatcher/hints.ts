import type { Due } from '@postrider/domain/email/due.ts'
import { makeQueue, type Queue } from './queue.ts'
import { roundRobin } from './roundRobin.ts'

/** What was rung in a lane and not looked for yet. Workspaces have their turns in a circle, each its oldest first. */
export type Hints = {
  /** @returns how many fell because there was no room for all: a scan must find them */
  add(due: readonly Due[]): number
  /** Takes the next out, passing over workspaces that may not have a turn now. */
  next(may: (workspace: string) => boolean): Due | undefined
  /** Takes one out that needs no look any more. */
  forget(due: Due): void
  size(): number
}

/** Where more wait their traces are kept no longer; the record of an email has its own. About 150 bytes each. */
const mostTraces = 2_000

/**
 * Each step takes the same time however much waits.
 * @param bound the most it keeps. What is over falls from the workspace that has most, and of it the oldest: scans begin
 *   with the oldest, so the two look for different mail
 */
export const makeHints = (bound: number): Hints => {
  const waiting = roundRobin<string>()
  const ranks = rankBySize()
  const traces = new Map<string, string>()
  const withTrace = (due: Due): Due => {
    const traceparent = traces.get(due.id)
    return traces.delete(due.id) && traceparent !== undefined ? { ...due, traceparent } : due
  }
  const takeNext = (may: (workspace: string) => boolean): Due | undefined => {
    const next = waiting.next(may)
    if (!next) return undefined
    ranks.shrunk(next.owner, waiting.sizeOf(next.owner))
    return withTrace({ workspace: next.owner, id: next.item })
  }

  const dropOne = (): void => {
    const workspace = ranks.takeLargest()
    if (workspace === undefined) return
    traces.delete(waiting.shift(workspace) ?? '')
    ranks.shrunk(workspace, waiting.sizeOf(workspace))
  }

  return {
    add: (due) => {
      let dropped = 0
      for (const { workspace, id, traceparent } of due) {
        if (!waiting.add(workspace, id)) continue
        if (traceparent !== undefined && traces.size < mostTraces) traces.set(id, traceparent)
        ranks.grown(workspace, waiting.sizeOf(workspace))
        if (waiting.size() <= bound) continue
        dropOne()
        dropped += 1
      }
      return dropped
    },
    next: takeNext,
    forget: ({ workspace, id }) => {
      traces.delete(id)
      if (waiting.remove(workspace, id)) ranks.shrunk(workspace, waiting.sizeOf(workspace))
    },
    size: waiting.size,
  }
}

/** Knows at any time who has most, where sizes change by one at a time. */
const rankBySize = () => {
  const bySize = new Map<number, Queue<string>>()
  let most = 0
  const move = (owner: string, from: number, to: number): void => {
    const before = bySize.get(from)
    before?.remove(owner)
    if (before?.size() === 0) bySize.delete(from)
    if (to === 0) return
    const now = bySize.get(to) ?? makeQueue<string>()
    now.add(owner)
    bySize.set(to, now)
  }
  return {
    /** Has `size` now, one more than before. */
    grown: (owner: string, size: number): void => {
      move(owner, size - 1, size)
      most = Math.max(most, size)
    },
    /** Has `size` now, one less than before. */
    shrunk: (owner: string, size: number): void => {
      move(owner, size + 1, size)
      if (!bySize.has(most)) most = size
    },
    /** One of those who have most; it is ranked again when it has `shrunk`. */
    takeLargest: (): string | undefined => bySize.get(most)?.shift(),
  }
}
