import { queueRefusal, shareOf } from '@postrider/domain/fairness/admission.ts'
import { ownerCounts } from '@postrider/domain/fairness/fairShare.ts'
import type { Monotonic } from '@postrider/kit/clock.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { mebibyte } from '@postrider/mail/units.ts'

export type StagedRoom = {
  /**
   * Counts a part of a batch before it is staged, until the batch is accepted here or is not extended any more.
   * @throws Fault `rate_limited`: the workspace's staged mail fills its share; `unavailable`: all staged mail together
   *   fills the bound, and the workspace has its part of it
   */
  reserve(batch: { id: string; workspace: string }, bytes: number): void
  /** Ends the count of a batch: it was accepted, and the queue counts its mail, or its parts are removed. */
  release(id: string): void
}

export type StagedRoomOptions = {
  boundBytes: number
  /** How long a batch that is not extended stays stored, in milliseconds. */
  lifeMs: number
  /** Monotonic time in milliseconds. */
  elapsed: Monotonic
}

type Staged = { workspace: string; bytes: number; endsAt: number }

/**
 * Limits the mail of batches that are not accepted yet. Nothing else bounds it: the queue and the quota count a batch
 * at its acceptance, which a client may never request. Parts that other replicas staged are not known here, and parts
 * of a batch that another replica accepted or discarded count for `lifeMs`.
 */
export const stagedRoom = ({ boundBytes, lifeMs, elapsed }: StagedRoomOptions): StagedRoom => {
  /** By the time of their end: an extended batch is inserted again. */
  const staged = new Map<string, Staged>()
  const byWorkspace = ownerCounts()

  const release = (id: string): void => {
    const one = staged.get(id)
    if (one === undefined) return
    staged.delete(id)
    byWorkspace.add(one.workspace, -one.bytes)
  }
  const releaseEnded = (now: number): void => {
    for (const [id, { endsAt }] of staged) {
      if (endsAt > now) return
      release(id)
    }
  }
  return {
    reserve: ({ id, workspace }, bytes) => {
      const now = elapsed()
      releaseEnded(now)
      const own = byWorkspace.of(workspace)
      const workspaces = byWorkspace.owners().length + (own === 0 ? 1 : 0)
      const limit = queueRefusal(boundBytes, { own, total: byWorkspace.total(), workspaces })
      if (limit === 'share') throw fullShareFault(boundBytes)
      if (limit === 'total') throw fullFault()
      const former = staged.get(id)?.bytes ?? 0
      staged.delete(id)
      staged.set(id, { workspace, bytes: former + bytes, endsAt: now + lifeMs })
      byWorkspace.add(workspace, bytes)
    },
    release,
  }
}

const retryAfterMs = 10_000

const fullShareFault = (boundBytes: number): Fault => {
  const amount = `${Math.floor(shareOf(boundBytes) / mebibyte)} MiB`
  const detail = `This workspace has reached its limit of ${amount} in batches that are not complete. The batch was not accepted; retry after the others have ended.`
  return new Fault('rate_limited', detail, { retryAfterMs, accepted: 'no' })
}

const fullFault = (): Fault =>
  new Fault(
    'unavailable',
    'Too many batches are not complete, and this workspace already uses its share; retry later.',
    { retryAfterMs, expected: true, accepted: 'no' },
  )
