import { setImmediate as nextIteration } from 'node:timers/promises'
import { feedDelayMs } from '@postrider/domain/events/event.ts'
import { afterAllIds } from '@postrider/domain/ids.ts'
import { wantedBy, wantedQuery } from '@postrider/domain/webhooks/endpoint.ts'
import { fullPauseMs, nextScanAt } from '@postrider/domain/webhooks/life.ts'
import { periodicJob } from '@postrider/kit/every.ts'
import type { ClaimedScan } from '@postrider/ports/webhookEndpoints.ts'
import type { Deps } from './deps.ts'
import type { IsFull } from './endpointCache.ts'
import type { Sender } from './sender.ts'

/** Finds events in the feed that no hint brought. */
export type Scanner = AsyncDisposable & {
  /** Reads a page of the feed for endpoints whose scan is due. @returns how many endpoints */
  scanDue(): Promise<number>
}

/** Endpoints of one claim, and how long a process owns their cursors in the feed. */
const [scansAtOnce, scanLeaseMs] = [16, 30_000]
/** Events of a page. */
const pageSize = 200
const pollEveryMs = 1_000

type ScanDeps = Pick<Deps, 'endpoints' | 'feed' | 'now' | 'random' | 'log'> & { isFull: IsFull }

/**
 * Opens the scanner. Each endpoint has a cursor in the feed of its workspace. A scan reads one page from it, stores the
 * deliveries that are missing, and then moves the cursor with the fencing token of its lease: a crash in between
 * repeats the page, and a delivery is stored once. So no event is lost, even without hints.
 */
export const openScanner = (deps: ScanDeps, sender: Pick<Sender, 'add'>): Scanner => {
  const { endpoints, feed, isFull, now, random, log } = deps

  /** @returns whether there is another page */
  const scan = async ({ endpoint, cursor, fence }: ClaimedScan): Promise<boolean> => {
    const at = now()
    const after = cursor ?? { at: endpoint.since - 1, id: afterAllIds }
    if (await isFull(endpoint.id)) {
      await endpoints.moveScan(endpoint.id, fence, { cursor: after, nextAt: at + fullPauseMs })
      return false
    }
    const page = await feed.readEvents({
      ...wantedQuery(endpoint),
      after,
      until: at - feedDelayMs,
      limit: pageSize,
    })
    const found = await sender.add(wantedBy([endpoint], page.events), 'scan')
    const nextAt = page.hasMore ? at : nextScanAt({ since: endpoint.since, found }, at)
    await endpoints.moveScan(endpoint.id, fence, { cursor: page.position, nextAt })
    return page.hasMore
  }
  const scanSome = async (): Promise<{ count: number; hasMore: boolean }> => {
    const claimed = await endpoints.claimScans({ now: now(), limit: scansAtOnce, leaseMs: scanLeaseMs })
    const isEach = await Promise.all(claimed.map(scan))
    return { count: claimed.length, hasMore: claimed.length === scansAtOnce || isEach.includes(true) }
  }
  const polling = periodicJob(
    async (stopping) => {
      // An endpoint may have more events than a page for each poll.
      while (!stopping.aborted && (await scanSome()).hasMore) await nextIteration()
    },
    { everyMs: pollEveryMs, log, message: 'cannot scan events', random },
  )
  return {
    scanDue: async () => (await scanSome()).count,
    [Symbol.asyncDispose]: polling[Symbol.asyncDispose],
  }
}
