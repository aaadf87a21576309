import type { Due } from '../email/due.ts'
import { rankBySize } from './evictionQueue.ts'
import { fairQueue } from './fairQueue.ts'

/** Hints that were not followed yet. Workspaces take turns; the hints of one are oldest first. */
export type Hints = {
  /** @returns how many hints were dropped because of the bound; a scan must find their emails */
  add(due: readonly Due[]): number
  /** Removes and returns the next hint, skipping workspaces that may not take a turn now. */
  next(may: (workspace: string) => boolean): Due | undefined
  /** Removes the hint about an email that was claimed by a scan. */
  forget(due: Due): void
  size(): number
}

/**
 * Maximum number of traces that are stored with hints, about 150 bytes each. Without one, the email's own record has
 * the trace.
 */
const maxTraces = 2_000

/**
 * Returns a bounded set of hints, which are read round-robin by workspace. Each operation takes constant time.
 * @param bound maximum number of hints. Above it the workspace with the most hints loses its oldest: scans start with
 *   the oldest mail, so the hints that stay are about other mail
 */
export const boundedHints = (bound: number): Hints => {
  const waiting = fairQueue<string>()
  const ranks = rankBySize()
  const traces = new Map<string, string>()

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
        if (traceparent !== undefined && traces.size < maxTraces) traces.set(id, traceparent)
        ranks.grown(workspace, waiting.sizeOf(workspace))
        if (waiting.size() <= bound) continue
        dropOne()
        dropped += 1
      }
      return dropped
    },
    next: (may) => {
      const next = waiting.next(may)
      if (!next) return undefined
      const { owner: workspace, item: id } = next
      ranks.shrunk(workspace, waiting.sizeOf(workspace))
      const traceparent = traces.get(id)
      return traces.delete(id) && traceparent !== undefined ? { workspace, id, traceparent } : { workspace, id }
    },
    forget: ({ workspace, id }) => {
      traces.delete(id)
      if (waiting.remove(workspace, id)) ranks.shrunk(workspace, waiting.sizeOf(workspace))
    },
    size: waiting.size,
  }
}
